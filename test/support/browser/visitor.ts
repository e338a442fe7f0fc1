import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { lookByAxe, rulesOfAxe } from '#ui/testing/axe.ts';
import { longestWaitMs, until } from '../waiting.ts';
import { renewPicture } from './pictures.ts';

/** The size of a phone that many have, so that the screenshots show what most users see. */
const phone = { width: 390, height: 760 };

/** From the narrowest phone to a desktop. */
const widths = [320, 360, 768, 1_440];

type Names = string | RegExp;

/** Somebody with a fresh browser profile: no key, no permission, no cache. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly appUrl: string;
  readonly #viewport: { width: number; height: number };
  /** What no screen of the app may do: break its own security policy, throw, or complain on the console. */
  readonly faults: string[];

  private constructor(context: BrowserContext, page: Page, appUrl: string, faults: string[]) {
    this.context = context;
    this.page = page;
    this.#viewport = page.viewportSize() ?? phone;
    this.appUrl = appUrl;
    this.faults = faults;
  }

  static async arrive(
    browser: Browser,
    appUrl: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: appUrl,
      viewport: phone,
      deviceScaleFactor: 1,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      colorScheme: 'light',
      ...options,
    });
    context.setDefaultTimeout(longestWaitMs);
    const faults = await collectFaults(context);
    return new Visitor(context, await context.newPage(), appUrl, faults);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  async leave(): Promise<void> {
    // What the app asks in its last moment is answered no more, and is no fault of the test.
    for (const page of this.context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.context.close();
    expect(this.faults).toEqual([]);
  }

  button(name: Names): Locator {
    return this.page.getByRole('button', { name });
  }

  link(name: Names): Locator {
    return this.page.getByRole('link', { name });
  }

  /** Waits until the screen with this heading is shown. */
  async sees(heading: Names): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  }

  /** Waits for a text anywhere on the screen. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Repeats the question until it has this answer: for what the browser tells by no event. */
  async waitsFor(ask: () => Promise<unknown>, answer: unknown): Promise<void> {
    let found: unknown;
    await until(
      async () => isDeepStrictEqual((found = await ask()), answer),
      () => `${inspect(answer)}, but it is ${inspect(found)}`,
    );
  }

  async clicks(name: Names): Promise<void> {
    await this.button(name).or(this.link(name)).click();
  }

  /** The user allows notifications in the browser's settings. When asked, Chromium without a window denies them. */
  async allowsNotifications(): Promise<void> {
    await this.context.grantPermissions(['notifications'], { origin: this.appUrl });
  }

  /** Waits until the service worker serves this page, so that the app works without a network. */
  async isControlled(): Promise<void> {
    await this.page.evaluate(`navigator.serviceWorker.controller !== null ||
      new Promise((resolve) => { navigator.serviceWorker.oncontrollerchange = () => resolve(true); })`);
  }

  /** As when a browser runs out of space, or the user clears its data. */
  async losesItsKeys(): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto('/manifest.webmanifest');
    await this.page.evaluate(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
      new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase(name);
        deleting.onsuccess = resolve;
        deleting.onerror = reject;
      }))))`);
  }

  /**
   * Looks at the screen in light, dark and forced colours, and at many widths: everything is accessible, and nothing is cut off. The
   * pictures are those of the documentation.
   */
  async examines(name: string): Promise<void> {
    await this.#expectReflow();
    // All of it at once: what the navigation covers could not be judged.
    const height = Number(await this.page.evaluate('document.documentElement.scrollHeight'));
    await this.page.setViewportSize({ ...this.#viewport, height: Math.max(this.#viewport.height, height) });
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      // The two differ in their colours only.
      await this.expectAccessible(colorScheme === 'light' ? undefined : ['color-contrast']);
      await renewPicture(`${name}-${colorScheme}.png`, this.page);
    }
    await this.page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    await this.expectAccessible(['color-contrast']);
    await this.page.emulateMedia({ forcedColors: 'none' });
    await this.page.setViewportSize(this.#viewport);
  }

  /** @param rules all rules, unless some are named */
  async expectAccessible(rules?: string[]): Promise<void> {
    for (const frame of this.page.frames()) {
      if (frame !== this.page.mainFrame() && !(await (await frame.frameElement()).isVisible())) continue;
      const { kept, faults } = await lookByAxe(frame, rules ?? rulesOfAxe);
      expect(kept).toBeGreaterThanOrEqual(rules?.length ?? 10);
      expect(faults).toEqual([]);
    }
  }

  /** Presses the Tab key until this element has the focus, as somebody without a mouse does. */
  async tabsTo(target: Locator): Promise<void> {
    const focused = target.and(this.page.locator(':focus'));
    for (let presses = 0; presses < 30; presses += 1) {
      if ((await focused.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`30 times Tab did not reach ${String(target)}`);
  }

  /** WCAG 2.2, 1.4.10: at 320 CSS pixels, which is also 400 % zoom on a desktop, nobody scrolls in two directions. */
  async #expectReflow(): Promise<void> {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const width of widths) {
      await this.page.setViewportSize({ ...phone, width });
      expect([width, await this.page.evaluate(overflow)]).toEqual([width, 0]);
    }
    await this.page.setViewportSize(this.#viewport);
  }
}

/**
 * What Chromium writes to the console without a fault of the app: each failed request, as whether one may fail is the test's
 * business, and that passkeys are ES256 only, as the device protocol has it.
 */
const expected = /^Failed to load resource|^publicKey\.pubKeyCredParams is missing/;

const violations = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    reportViolation('CSP ' + violatedDirective + ': ' + blockedURI + ' in ' + sourceFile));
`;

async function collectFaults(context: BrowserContext): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeFunction('reportViolation', (violation: string) => void faults.push(violation));
  await context.addInitScript({ content: violations });
  context.on('console', (message) => {
    const isFault = ['error', 'warning'].includes(message.type()) && !expected.test(message.text());
    if (isFault) faults.push(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => void faults.push(String(error.error())));
  return faults;
}
