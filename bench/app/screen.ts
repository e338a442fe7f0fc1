import type { BrowserContext, Page } from 'playwright-core';
import { within } from '../../test/support/browser/within.ts';

/** What a user sees on the screens, as expressions in the page. */
const moments = {
  shown: `document.querySelector('.answer [type=submit]') !== null`,
  // A request takes no tap in its first half second, so that a tap meant for something else answers nothing.
  answerable: `[...document.querySelectorAll('.answer [type=submit]')].some((button) => getComputedStyle(button).pointerEvents !== 'none')`,
  confirmed: `document.querySelector('h1')?.textContent === 'Confirmed'`,
};
type Moment = keyof typeof moments | 'tapped';

/** Notes them in the page: a look from outside would cost as much time as what it measures. */
const noteMoments = `{
  const times = (globalThis.moments = {});
  const looks = Object.entries({ ${Object.entries(moments)
    .map(([name, expression]) => `${name}: () => ${expression}`)
    .join(', ')} });
  const look = () => {
    for (const [name, isThere] of looks) {
      if (times[name] !== undefined) continue;
      if (!isThere()) return;
      times[name] = performance.now();
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  addEventListener('animationend', look, true);
  addEventListener('click', ({ timeStamp }) => { times.tapped = timeStamp; }, true);
}`;

const firstPaint = `new Promise((resolve) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName('first-contentful-paint');
  if (paint) resolve(paint.startTime);
}).observe({ type: 'paint', buffered: true }))`;

/** A window of the app. Times are milliseconds since its navigation began. */
export class Screen {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(context: BrowserContext, url: string): Promise<Screen> {
    const page = await context.newPage();
    await page.addInitScript({ content: noteMoments });
    await page.goto(url);
    return new Screen(page);
  }

  async firstPaint(): Promise<number> {
    return await within('The first paint', this.page.evaluate<number>(firstPaint));
  }

  /** Waits until the service worker has the app's files, and serves this window. */
  async isControlled(): Promise<void> {
    const controlled = `navigator.serviceWorker.controller !== null ||
      new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = () => resolve(true); })`;
    await within('The service worker', this.page.evaluate(controlled));
  }

  async timeOf(moment: Moment): Promise<number> {
    const time = await this.page.evaluate<number | undefined>(`globalThis.moments.${moment}`);
    if (time === undefined) throw new Error(`The page has not noted when it was ${moment}.`);
    return time;
  }
}
