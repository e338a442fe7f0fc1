import { describe } from '@jest/globals';
import type { BrowserName } from '../../../tools/local/browsers/find.ts';
import { sharedOfRun } from '../run-services.ts';

type Describe = (title: string, suite: () => void) => void;

/**
 * `describe` for suites that need this browser. It is found, or installed once for all suites of the run. Without it they
 * are skipped, and their names say why.
 */
export async function describeIn(name: BrowserName): Promise<Describe> {
  try {
    await sharedOfRun(name);
    return describe;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return (title, suite) => describe.skip(`${title} (skipped: ${reason})`, suite);
  }
}
