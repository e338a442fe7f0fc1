import { afterAll, beforeAll } from '@jest/globals';
import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Frame,
  type Page,
} from 'puppeteer-core';
import { sharedOfRun } from '../run-services.ts';
import { longestWaitMs } from '../waiting.ts';

export type Firefox = {
  open: (url: string) => Promise<Page>;
  /** In a window without the cookies of the others. */
  openApart: (url: string) => Promise<Page>;
};

/** A Firefox for the tests of a file, with one profile. Playwright drives builds of its own alone, so Puppeteer does. */
export function useFirefox(preferences: () => Record<string, unknown> = () => ({})): Firefox {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = await sharedOfRun('firefox');
    const extraPrefsFirefox = { 'intl.accept_languages': 'en-GB', ...preferences() };
    browser = await puppeteer.launch({
      ...{ browser: 'firefox', executablePath, extraPrefsFirefox },
      timeout: longestWaitMs,
    });
  });
  afterAll(async () => await browser?.close());
  const running = (): Browser => {
    if (!browser) throw new Error('Firefox is not started');
    return browser;
  };
  const openIn = async (place: Browser | BrowserContext, url: string): Promise<Page> => {
    const page = await place.newPage();
    page.setDefaultTimeout(longestWaitMs);
    await page.goto(url);
    return page;
  };
  return {
    open: async (url) => await openIn(running(), url),
    openApart: async (url) => await openIn(await running().createBrowserContext(), url),
  };
}

/** Also in the shadow of an element, which a selector of Puppeteer does not always reach. Firefox gives animation frames to the front tab only. */
const firstShown = async (page: Page | Frame, isIt: string): Promise<ElementHandle> =>
  (await page.waitForFunction(
    `(() => {
      const all = (root) =>
        [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
      return all(document).find((one) => one.checkVisibility() && (${isIt})(one));
    })()`,
    { polling: 50 },
  )) as ElementHandle;

/** A button or a link, by the name that a screen reader says. */
const actionOf = async (page: Page | Frame, name: string): Promise<ElementHandle> =>
  await firstShown(
    page,
    `(one) => one.matches('a, button:enabled') && (one.ariaLabel ?? one.textContent).trim() === ${JSON.stringify(name)}`,
  );

export async function clicks(page: Page | Frame, name: string): Promise<void> {
  const element = await actionOf(page, name);
  // Not at its place on the screen, where it may still be moving.
  await element.evaluate((found) => (found as unknown as { click: () => void }).click());
}

/** With a finger, on a page that is made for one. */
export const taps = async (page: Page, name: string): Promise<void> =>
  await (await actionOf(page, name)).tap();

export const sees = async (page: Page | Frame, heading: string): Promise<unknown> =>
  await firstShown(
    page,
    `(one) => one.matches('h1') && one.textContent.trim() === ${JSON.stringify(heading)}`,
  );

export const reads = async (page: Page | Frame, text: string): Promise<unknown> =>
  await firstShown(page, `(one) => one.innerText?.includes(${JSON.stringify(text)})`);

/** The field that this label names. */
export const fieldOf = async (page: Page | Frame, label: string): Promise<ElementHandle> =>
  await firstShown(
    page,
    `(one) => one.matches('input, select') &&
      [one.ariaLabel, ...[...one.labels].map(({ textContent }) => textContent.trim())].includes(${JSON.stringify(label)})`,
  );

/** What has the focus, by the name that a screen reader says. */
const focused = `(({ labels, ariaLabel, textContent }) => (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(
  document.activeElement)`;

/** As somebody without a mouse does. */
export async function tabsTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`30 times Tab did not reach "${name}"`);
}
