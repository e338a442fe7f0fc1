import { chromium } from 'playwright-core';
import { ensureBrowser } from '../../../tools/local/browsers/install.ts';
import { longestWaitMs } from '../waiting.ts';
import { chromiumFlags } from './chromium-flags.ts';

/**
 * One Chromium for all suites of a run. Each has a connection and contexts of its own, which end with it: no suite sees
 * another one's cookies, storage, workers or permissions. What they share is the program alone, also its clipboard.
 */
export async function chromiumServer(
  log: (line: string) => void,
): Promise<{ told: string; close: () => Promise<void> }> {
  const server = await chromium.launchServer({
    executablePath: await ensureBrowser('chromium', log),
    args: [...chromiumFlags],
    host: '127.0.0.1',
    timeout: longestWaitMs,
  });
  return { told: server.wsEndpoint(), close: async () => await server.close() };
}
