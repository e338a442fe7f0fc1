import { expect } from '@jest/globals';
import type { BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import type { Chromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { longestWaitMs } from '../support/waiting.ts';
import type { TestStack } from '../support/stack.ts';
import { renewPicture } from '../support/browser/pictures.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 760 };
const narrowest = { width: 320, height: 760 };
/** Until colours that have just changed are drawn. */
const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

/** As long as the phone and the website together may take on a busy machine. */
const wait = { timeout: longestWaitMs };

export type Person = 'Anna' | 'Ben' | 'Chiara';

/** A window of the demo bank, with the website and the phone beside it. */
export class BankWindow {
  readonly visitor: Visitor;
  readonly page: Page;

  constructor(visitor: Visitor, page: Page) {
    this.visitor = visitor;
    this.page = page;
  }

  /** Somebody with a browser of their own: no session and no phone in it. */
  static async open(
    chromium: Chromium,
    stack: TestStack,
    options: BrowserContextOptions = {},
  ): Promise<BankWindow> {
    const { siteUrl } = stack.file;
    const visitor = await chromium.visitor({ baseURL: siteUrl, viewport: desktop, ...options });
    await visitor.page.goto('/');
    return new BankWindow(visitor, visitor.page);
  }

  get website(): Locator {
    return this.page.getByRole('region', { name: 'The bank’s website' });
  }

  get phone(): Locator {
    return this.page.getByRole('region', { name: 'Your phone' });
  }

  /** The web app, on the phone in front. */
  get screen(): FrameLocator {
    return this.page.frameLocator('#phone-screen iframe:not([hidden])');
  }

  get evidence(): Locator {
    return this.page.getByRole('region', { name: 'The signed evidence' });
  }

  get calls(): Locator {
    return this.page.getByRole('region', { name: 'What the website asks OMI' });
  }

  get events(): Locator {
    return this.page.getByRole('region', { name: 'What arrives in the bank’s own cloud' });
  }

  async signIn(person: Person): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${person} `) }).click();
    await this.hasGreeted(person);
  }

  async hasGreeted(person: Person): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: `Hello, ${person}` }).waitFor(wait);
  }

  /** The first phone: that of the page. */
  async connect(): Promise<void> {
    await this.website.getByRole('button', { name: 'Connect a phone' }).click();
    await this.setsUpPhone();
    await this.phoneShows('Nothing to confirm');
    await this.reads('The bank knows your new phone.');
  }

  /** The phone in front has read the code of the website. */
  async setsUpPhone(): Promise<void> {
    await this.taps('Continue');
    await this.phoneShows('This device is ready');
    await this.taps('Done');
  }

  async arrive(person: Person): Promise<void> {
    await this.signIn(person);
    await this.connect();
  }

  async opens(tab: 'Pay' | 'Address' | 'Limit' | 'Phones'): Promise<void> {
    await this.website.getByRole('tab', { name: tab }).click();
  }

  /** Asks for 20 €, and opens the request on the phone. */
  async asksToPay(): Promise<void> {
    await this.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await this.phoneReads('Pay 20.00 € to Café Zoë?');
    await this.taps('Review');
    for (const detail of ['payment', 'Café Zoë', '20.00', 'EUR'])
      await this.screen.locator('.details').getByText(detail, { exact: true }).waitFor(wait);
  }

  /** A button or a link of the app. */
  async taps(name: string): Promise<void> {
    const options = { name, exact: true };
    await this.screen.getByRole('button', options).or(this.screen.getByRole('link', options)).click(wait);
  }

  /** It is in the window as it is, and nobody has to scroll. */
  async hasInView(name: string): Promise<void> {
    const box = await this.screen.getByRole('button', { name, exact: true }).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(this.page.viewportSize()?.height ?? 0);
  }

  /** What is below the website is not covered by the phone, which stays in view while the website is. */
  async seesAllBelow(): Promise<void> {
    const events = this.page.getByRole('heading', { name: 'What arrives in the bank’s own cloud' });
    await events.scrollIntoViewIfNeeded();
    const [phone, below] = await Promise.all([this.phone.boundingBox(), events.boundingBox()]);
    expect((phone?.y ?? 0) + (phone?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  }

  async phoneShows(heading: string): Promise<void> {
    await this.screen.getByRole('heading', { level: 1, name: heading }).waitFor(wait);
  }

  async phoneReads(text: string | RegExp): Promise<void> {
    await this.screen.getByText(text).first().waitFor(wait);
  }

  /** Which of the user's phones is in front. */
  async phoneIsNamed(name: string): Promise<void> {
    await this.phone
      .locator('#phone-name')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .waitFor(wait);
  }

  /** On the website, also inside of the elements. */
  async reads(text: string | RegExp): Promise<void> {
    await this.website.getByText(text).first().waitFor(wait);
  }

  async verifies(): Promise<void> {
    await this.evidence.getByText('Verified in this browser').waitFor(wait);
  }

  /** The checks of the evidence that fail. */
  async failedChecks(): Promise<string[]> {
    return await this.evidence.locator('#evidence-checks .failed strong').allTextContents();
  }

  async balance(): Promise<string> {
    return (await this.website.locator('#balance').textContent()) ?? '';
  }

  /** Looks at the whole page, in light and dark: everything is accessible, and nothing is cut off on a narrow phone. */
  async examines(): Promise<void> {
    await this.#fits(narrowest);
    await this.#fits(phone);
    await this.#fitsTwiceAsLarge();
    await this.#seesAll(desktop);
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.#has(colorScheme);
      // The two differ in their colours only.
      await this.#expectAccessible(colorScheme === 'light' ? undefined : ['color-contrast']);
    }
    await this.#has('light');
    await this.page.setViewportSize(desktop);
  }

  /** Pictures for the documentation, of what is in view around this element: on a desktop and on a phone, in light and dark. */
  async isPictured(name: string, around: string): Promise<void> {
    if (process.env['OMI_SCREENSHOTS'] !== '1') return;
    for (const [size, viewport] of [
      ['wide', desktop],
      ['phone', phone],
    ] as const) {
      await this.page.setViewportSize(viewport);
      await this.page.evaluate(frames);
      await this.page.evaluate(`document.querySelector('${around}').scrollIntoView({ behavior: 'instant' })`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await this.#has(colorScheme);
        await renewPicture(`bank-${name}-${size}-${colorScheme}.png`, this.page);
      }
    }
    await this.#has('light');
    await this.page.setViewportSize(desktop);
  }

  async #has(colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme });
    await this.page.evaluate(frames);
  }

  /** The visitor's own check looks at its first window. */
  async #expectAccessible(rules?: string[]): Promise<void> {
    expect(this.page).toBe(this.visitor.page);
    await this.visitor.expectAccessible(rules);
  }

  /** WCAG 2.2, 1.4.10: nobody scrolls in two directions. */
  async #fits(viewport: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(viewport);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await this.page.evaluate(overflow)).toBe(0);
  }

  /** WCAG 2.2, 1.4.4: text is twice as large, and no button has so narrow a column that it is higher than the window. */
  async #fitsTwiceAsLarge(): Promise<void> {
    await this.page.evaluate("document.documentElement.style.fontSize = '200%'");
    await this.#fits(phone);
    const heights = "[...document.querySelectorAll('button')].map((button) => button.offsetHeight)";
    expect(Math.max(...(await this.page.evaluate<number[]>(heights)))).toBeLessThan(phone.height);
    await this.page.evaluate("document.documentElement.style.fontSize = ''");
  }

  async #seesAll(viewport: { width: number; height: number }): Promise<void> {
    await this.page.setViewportSize(viewport);
    const height = Number(await this.page.evaluate('document.documentElement.scrollHeight'));
    await this.page.setViewportSize({ ...viewport, height: Math.max(viewport.height, height) });
    await this.page.evaluate('scrollTo(0, 0)');
  }
}
