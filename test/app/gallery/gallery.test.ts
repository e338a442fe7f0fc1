import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { buildApp } from '../../../app/build.ts';
import { languages, type Language } from '../../../app/src/i18n/texts.ts';
import { ensureBrowser } from '../../../local/browsers/install.ts';
import { animationsAfterChange } from '../../support/browser/animations.ts';
import { openGallery } from './open-gallery.ts';
import { states } from './states.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const folder = mkdtempSync(join(tmpdir(), 'omi-gallery-'));
const program = await ensureBrowser('chromium', () => undefined).catch(() => undefined);
const names = Object.keys(states);

let browser: Browser;
const open = async (colorScheme: 'light' | 'dark', width: number): Promise<Page> => {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 780 },
    reducedMotion: 'reduce',
  });
  return await openGallery(context, folder, {
    build: buildApp,
    script: 'test/app/gallery/gallery.tsx',
    root: 'app',
  });
};

type Shown = { gallery: { show(name: string, language: string): Promise<void> } };

const show = async (page: Page, name: string, language: Language = 'en'): Promise<void> =>
  await page.evaluate(
    async ([state = '', tag = '']) => await (globalThis as unknown as Shown).gallery.show(state, tag),
    [name, language],
  );

async function expectAccessible(page: Page, limit: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  for (const name of names) {
    await show(page, name);
    // The legacy mode opens no second page for each look.
    const { violations } = await limit(new AxeBuilder({ page }).setLegacyMode()).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect([name, found]).toEqual([name, []]);
  }
}

// Without a browser there is nothing to look at; the run says so once, where it starts the browsers' own suites.
(program === undefined ? describe.skip : describe)('every screen in every state', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? '', args: flags });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('has no fault that axe finds', async () => {
    await expectAccessible(await open('light', 390), (axe) => axe);
  });

  test('has enough contrast in dark colours', async () => {
    await expectAccessible(await open('dark', 390), (axe) => axe.withRules(['color-contrast']));
  });

  test('has one heading, and names the window after it', async () => {
    const page = await open('light', 390);
    for (const name of names) {
      await show(page, name);
      expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
      await expect(page.title()).resolves.toBe(`${(await page.locator('h1').textContent()) ?? ''} – OMI`);
    }
  });

  test.each(languages)('fits a window of 320 pixels, in %s', async (language) => {
    const page = await open('light', 320);
    for (const name of names) {
      await show(page, name, language);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width]).toEqual([name, 320]);
      expect(await page.locator('body').innerText()).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  test('fits a window with texts of twice the size', async () => {
    const page = await open('light', 640);
    await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
    for (const name of names) {
      await show(page, name, 'de');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width]).toEqual([name, 640]);
    }
  });

  test('has controls of 44 pixels or more', async () => {
    const page = await open('light', 390);
    for (const name of names) {
      await show(page, name);
      const controls = await page.locator('a:not(.skip), button, input, select').all();
      const sizes = await Promise.all(controls.map(async (control) => await control.boundingBox()));
      const small = sizes.filter((box) => box !== null && Math.min(box.width, box.height) < 44);
      expect([name, small]).toEqual([name, []]);
    }
  });

  test.each(['light', 'dark'] as const)(
    'shows twenty requests in a list that stays usable (%s)',
    async (colours) => {
      const page = await open(colours, 390);
      await show(page, 'many-requests');
      const cards = page.locator('.request');
      expect(await cards.count()).toBe(20);
      const boxes = await Promise.all((await cards.all()).map(async (card) => await card.boundingBox()));
      // However long a message is, at least three requests are on a screen.
      expect(Math.max(...boxes.map((box) => box?.height ?? Infinity))).toBeLessThan(780 / 3);
      if (process.env['OMI_SCREENSHOTS'] === '1')
        await page.screenshot({ path: `docs/images/home-list-${colours}.png` });
    },
  );

  test('has its colours at once, for those who want no motion', async () => {
    const page = await open('light', 390);
    await show(page, 'starting');
    expect(await animationsAfterChange(page)).toEqual([]);
  });

  test('takes no answer by the second click of a double click', async () => {
    const page = await open('light', 390);
    await show(page, 'challenge');
    const button = page.getByRole('button', { name: 'Confirm' });
    const pointerAt = async (time: number): Promise<string> =>
      await button.evaluate((element, currentTime) => {
        for (const animation of element.getAnimations()) animation.currentTime = currentTime;
        return getComputedStyle(element).pointerEvents;
      }, time);
    // Begun anew: on a busy machine it may have ended, and then it is not among them any more.
    await button.evaluate((element: HTMLElement) => {
      element.style.animation = 'none';
      element.getBoundingClientRect();
      element.style.animation = '';
      element.getAnimations().forEach((animation) => animation.pause());
    });
    expect([await pointerAt(10), await pointerAt(400), await pointerAt(500)]).toEqual([
      'none',
      'none',
      'auto',
    ]);
  });
});
