import type { Page as ChromiumPage } from 'playwright-core';
import type { Page as FirefoxPage } from 'puppeteer-core';
import { clicks, reads, sees, taps } from '../../support/browser/firefox.ts';

/** A tab of a browser on a phone, whose user has nothing but a finger. */
export type Tab = {
  goesTo: (url: string) => Promise<void>;
  /** The user looks at it again. */
  isSeen: () => Promise<void>;
  sees: (heading: string) => Promise<void>;
  reads: (text: string) => Promise<void>;
  /** A button or a link with this name. */
  taps: (name: string) => Promise<void>;
  /** The same, where it opens another tab. */
  opens: (name: string) => Promise<Tab>;
  /** The names of the links that the user sees, also in the shadow of an element. */
  links: () => Promise<string[]>;
  url: () => string;
};

const linksOfPage = `(() => {
  const all = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  return all(document).filter((one) => one.matches('a') && one.checkVisibility()).map(({ textContent }) => textContent);
})()`;

export function chromiumTab(page: ChromiumPage): Tab {
  const tap = async (name: string): Promise<void> => {
    const options = { name, exact: true };
    await page.getByRole('button', options).or(page.getByRole('link', options)).tap();
  };
  return {
    goesTo: async (url) => void (await page.goto(url)),
    isSeen: async () => await page.bringToFront(),
    sees: async (name) => await page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    reads: async (text) => await page.getByText(text).first().waitFor(),
    taps: tap,
    opens: async (name) => {
      const opened = page.context().waitForEvent('page');
      await tap(name);
      return chromiumTab(await opened);
    },
    links: async () => await page.evaluate(linksOfPage),
    url: () => page.url(),
  };
}

export function firefoxTab(page: FirefoxPage): Tab {
  return {
    goesTo: async (url) => void (await page.goto(url)),
    isSeen: async () => await page.bringToFront(),
    sees: async (heading) => void (await sees(page, heading)),
    reads: async (text) => void (await reads(page, text)),
    // The touches of Puppeteer reach the first tab alone.
    taps: async (name) => await clicks(page, name),
    opens: async (name) => {
      const opened = new Promise<FirefoxPage | null>((resolve) => page.once('popup', resolve));
      await taps(page, name);
      const tab = await opened;
      if (!tab) throw new Error(`"${name}" has opened no tab`);
      return firefoxTab(tab);
    },
    links: async () => (await page.evaluate(linksOfPage)) as string[],
    url: () => page.url(),
  };
}
