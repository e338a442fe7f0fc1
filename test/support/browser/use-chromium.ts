import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { sharedOfRun } from '../run-services.ts';
import { longestWaitMs } from '../waiting.ts';
import { Visitor } from './visitor.ts';

export type Chromium = {
  /** Each visitor has a profile of their own. They leave after the test, which fails if the app did. */
  visitor: (options?: BrowserContextOptions) => Promise<Visitor>;
};

/** The address at which visitors arrive, known once the tests run. */
type Site = { file: { appUrl: string } };

/** A connection to the Chromium of the run. What is opened by it ends with it. */
export const connectToChromium = async (): Promise<Browser> =>
  await chromium.connect(await sharedOfRun('chromium-server'), { timeout: longestWaitMs });

/** The Chromium of the run, with contexts that end with this file. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await connectToChromium();
  });
  afterAll(async () => await browser?.close());
  return () => {
    if (!browser) throw new Error('Chromium is not started');
    return browser;
  };
}

/** Visitors for the tests of a file. */
export function useChromium(site: Site): Chromium {
  const browser = useBrowser();
  const visitors: Visitor[] = [];

  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  return {
    visitor: async (options) => {
      const visitor = await Visitor.arrive(browser(), site.file.appUrl, options);
      visitors.push(visitor);
      return visitor;
    },
  };
}
