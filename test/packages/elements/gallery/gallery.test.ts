/** Each state of both elements, in all languages and widths: nothing moves, nothing is cut off, everybody can use it. */
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { languages } from '../../../../packages/elements/src/i18n/language.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { useChromium } from '../../../support/browser/use-chromium.ts';
import type { Visitor } from '../../../support/browser/visitor.ts';
import { usePages } from '../support/use-pages.ts';
import { confirmations, enrolments } from './states.ts';

const inChromium = await describeIn('chromium');

const kinds = [
  ['confirmation', Object.keys(confirmations)],
  ['enrolment', Object.keys(enrolments)],
] as const;

/** Nothing was asked yet. */
const idle = ['loading', 'no-device', 'ready', 'ready-unreachable', 'ready-choice'];

type Measured = { name: string; height: number; smallest: number; said: string };
declare const show: (kind: string, language: string) => Promise<void>;
declare const measure: () => Measured[];
declare const brokenWords: () => string[];

inChromium('every state', () => {
  const pages = usePages('test/packages/elements/gallery/gallery.ts');
  const chromium = useChromium(pages);

  async function visit(width: number, options: object = {}): Promise<Visitor> {
    pages.show('<div id="place"></div>', () => undefined);
    const visitor = await chromium.visitor({ viewport: { width, height: 900 }, hasTouch: true, ...options });
    await visitor.open('/');
    await visitor.page.waitForFunction('globalThis.show');
    return visitor;
  }

  const draw = async (page: Page, kind: string, language = 'en'): Promise<Measured[]> =>
    await page.evaluate(
      async ([element = '', tag = '']) => {
        await show(element, tag);
        return measure();
      },
      [kind, language],
    );

  describe.each([
    ['600 pixels', 600, 1],
    ['390 pixels', 390, 1],
    ['320 pixels', 320, 1],
    ['640 pixels with texts of twice the size', 640, 2],
  ])('the element in a window of %s', (_, width, scale) => {
    test.each(kinds)('has the same height for each %s, in every language', async (kind, names) => {
      const { page } = await visit(width);
      await page.evaluate((size) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`:root { font-size: ${size * 100}% !important }`);
        document.adoptedStyleSheets = [sheet];
      }, scale);
      const all = [];
      for (const language of languages) {
        for (const measured of await draw(page, kind, language)) all.push({ ...measured, language });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect(all.length).toBe(names.length * languages.length);
      // In a wide window the place is not kept for the few who choose a device or compare a number.
      const isRare = ({ name }: Measured): boolean => width === 600 && /^pending-number|-choice$/.test(name);
      const usual = all.filter((one) => !isRare(one));
      const asking = usual.filter(({ name }) => !idle.includes(name));
      const reserved = Math.min(...asking.map(({ height }) => height));
      expect(asking.filter(({ height }) => height > reserved)).toEqual([]);
      // Before anything is asked it takes no more place than it needs, and the same while the devices are loaded.
      const before = usual.filter(({ name }) => idle.includes(name));
      expect(before.filter(({ height }) => height > reserved)).toEqual([]);
      const heights = (name: string) => before.filter((one) => one.name === name).map(({ height }) => height);
      expect(heights('ready')).toEqual(heights('loading'));
      expect(all.filter(({ smallest }) => smallest < 44)).toEqual([]);
      expect(all.filter(({ said }) => said.length < 15 || /undefined|\[object|NaN|[{}]/.test(said))).toEqual(
        [],
      );
    });
  });

  test.each(['confirmation', 'enrolment'])(
    'has no fault in the %s that axe finds, and enough contrast in dark colours',
    async (kind) => {
      const visitor = await visit(600);
      await draw(visitor.page, kind);
      await visitor.expectAccessible();
      await visitor.page.emulateMedia({ colorScheme: 'dark' });
      await visitor.expectAccessible(['color-contrast']);
    },
  );

  test('sets a right-to-left message apart from the text around it', async () => {
    const { page } = await visit(390);
    await draw(page, 'confirmation');
    const message = page.locator('#pending-rtl blockquote bdi');
    expect(
      await message.evaluate((element) => {
        const { direction, textAlign, display } = getComputedStyle(element);
        return [direction, textAlign, display];
      }),
    ).toEqual(['rtl', 'start', 'block']);
  });

  test.each(languages)(
    'breaks no word of %s in a narrow window with a wide font, but where it is hyphenated',
    async (language) => {
      const { page } = await visit(320);
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('#place > * { font-family: "DejaVu Sans", Verdana, sans-serif; hyphens: none }');
        document.adoptedStyleSheets = [sheet];
      });
      for (const kind of ['confirmation', 'enrolment']) {
        await draw(page, kind, language);
        expect(await page.evaluate(() => brokenWords())).toEqual([]);
      }
    },
  );

  test('is distinguishable in forced colours', async () => {
    const { page } = await visit(600, { forcedColors: 'active' });
    await draw(page, 'confirmation');
    const stroke = await page.locator('#denied svg').evaluate((icon) => getComputedStyle(icon).stroke);
    const text = await page.locator('#denied [part=text]').evaluate((line) => getComputedStyle(line).color);
    expect(stroke).toBe(text);
    await draw(page, 'enrolment');
    const ground = await page
      .locator('#waiting [part=qr]')
      .evaluate((code) => getComputedStyle(code).backgroundColor);
    expect(ground).toBe('rgb(255, 255, 255)');
  });

  /** The states of an element in which something moves. The ring moves to its new length once. */
  const moving = async (page: Page, kind: string): Promise<string[]> => {
    const drawn = await draw(page, kind);
    return await page.evaluate(
      (names) =>
        names.filter((name) =>
          document
            .getElementById(name)
            ?.shadowRoot?.getAnimations()
            .some((animation) => !(animation instanceof CSSTransition)),
        ),
      drawn.map(({ name }) => name),
    );
  };

  test.each([
    ['confirmation', ['loading', 'sending', 'leaving']],
    ['enrolment', ['starting']],
  ])(
    'moves in the %s only while the website works, not without a connection, and never when reduced motion is set',
    async (kind, busy) => {
      const lively = await visit(390, { reducedMotion: 'no-preference' });
      expect(await moving(lively.page, kind)).toEqual(busy);
      const still = await visit(390, { reducedMotion: 'reduce' });
      expect(await moving(still.page, kind)).toEqual([]);
    },
  );
});
