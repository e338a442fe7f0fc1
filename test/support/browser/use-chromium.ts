import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { sharedOfRun } from '../run-services.ts';
import { Visitor } from './visitor.ts';

/** A cold start on a busy machine. */
const LONGEST_LAUNCH_MS = 60_000;

export type Chromium = {
  /** Each visitor has a profile of their own. They leave after the test, which fails if the app did. */
  visitor: (options?: BrowserContextOptions) => Promise<Visitor>;
};

/** The address at which visitors arrive, known once the tests run. */
type Site = { file: { appUrl: string } };

/** One Chromium for the tests of a file. */
export function useChromium(site: Site): Chromium {
  let browser: Browser | undefined;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    const executablePath = await sharedOfRun('chromium');
    // Its sandbox needs user namespaces, which root has not in a container. It loads the app of the test only.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath, args, timeout: LONGEST_LAUNCH_MS });
  }, LONGEST_LAUNCH_MS);
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });
  afterAll(async () => await browser?.close());

  return {
    visitor: async (options) => {
      if (!browser) throw new Error('Chromium is not started');
      const visitor = await Visitor.arrive(browser, site.file.appUrl, options);
      visitors.push(visitor);
      return visitor;
    },
  };
}
