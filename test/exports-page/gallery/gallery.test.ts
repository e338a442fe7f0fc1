import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { buildExportsPage } from '../../../exports-page/build.ts';
import { stateWords } from '../../../exports-page/src/text/words.ts';
import { ensureBrowser } from '../../../local/browsers/install.ts';
import { openGallery } from '../../app/gallery/open-gallery.ts';
import { animationsAfterChange } from '../../support/browser/animations.ts';
import { states } from './states.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const folder = mkdtempSync(join(tmpdir(), 'omi-exports-gallery-'));
const program = await ensureBrowser('chromium', () => undefined).catch(() => undefined);
const names = Object.keys(states);

/** Those that have what no other one has: axe takes a second for each. */
const distinct = [
  ...['sign-in-refused', 'asking', 'exports-parked', 'no-exports', 'out-of-date', 'parked', 'bucket-gap'],
  ...['bucket-unproven', 'paused-by-operator', 'only-reading', 'test-failed', 'test-refused'],
  ...['pause-confirming', 'replay-wrong', 'replays', 'ledger-hour', 'ledger-failed'],
];

let browser: Browser;
const open = async (colorScheme: 'light' | 'dark', width: number): Promise<Page> => {
  const context = await browser.newContext({
    ...{ colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Pacific/Auckland' },
    viewport: { width, height: 900 },
  });
  return await openGallery(context, folder, {
    build: buildExportsPage,
    script: 'test/exports-page/gallery/gallery.tsx',
    root: 'page',
  });
};

type Shown = { gallery: { show(name: string): Promise<void> } };

const show = async (page: Page, name: string): Promise<void> =>
  await page.evaluate(async (state) => await (globalThis as unknown as Shown).gallery.show(state), name);

async function expectAccessible(page: Page, limit: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  for (const name of distinct) {
    await show(page, name);
    const { violations } = await limit(new AxeBuilder({ page }).setLegacyMode()).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect([name, found]).toEqual([name, []]);
  }
}

/** The pictures of the documentation. */
const pictures = ['exports', 'exports-parked', 'parked', 'test-running', 'replays', 'ledger-hour', 'sign-in'];

// Without a browser there is nothing to look at; the run says so once, where it starts the browsers' own suites.
(program === undefined ? describe.skip : describe)('the exports page in every state', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program ?? '', args: flags });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('has no fault that axe finds', async () => {
    await expectAccessible(await open('light', 1_000), (axe) => axe);
  });

  test('has enough contrast in dark colours', async () => {
    await expectAccessible(await open('dark', 390), (axe) => axe.withRules(['color-contrast']));
  });

  test('has one heading, which has the focus, and names the window after it', async () => {
    const page = await open('light', 390);
    for (const name of names) {
      await show(page, name);
      expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
      await expect(page.title()).resolves.toBe(`${(await page.locator('h1').textContent()) ?? ''} – OMI`);
    }
    await show(page, 'sign-in');
    await show(page, 'exports');
    expect(await page.locator('h1:focus').count()).toBe(1);
  });

  test.each([
    ['a window of 320 pixels', 320, ''],
    ['a window with texts of twice the size', 640, 'html { font-size: 200% !important }'],
  ])('fits %s', async (_, width, content) => {
    const page = await open('light', width);
    if (content !== '') await page.addStyleTag({ content });
    for (const name of names) {
      await show(page, name);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width]);
      expect(await page.locator('body').innerText()).not.toMatch(/undefined|\[object|NaN|Invalid/);
    }
  });

  test('has controls of 44 pixels or more', async () => {
    const page = await open('light', 390);
    for (const name of names) {
      await show(page, name);
      const controls = await page
        .locator('a:not(.skip), button, input:not([type=checkbox]), textarea, summary, .check')
        .all();
      const sizes = await Promise.all(controls.map(async (control) => await control.boundingBox()));
      const small = sizes.filter(
        (box) => box !== null && box.height > 0 && Math.min(box.width, box.height) < 44,
      );
      expect([name, small]).toEqual([name, []]);
    }
  });

  test('says a state in words, in a colour and with an icon', async () => {
    const page = await open('light', 1_000);
    const colours: { state: string; colour: string }[] = [];
    for (const [state, { label }] of Object.entries(stateWords)) {
      await show(page, state === 'paused' ? 'paused-by-tenant' : state);
      const chip = page.locator('.chip').first();
      expect(await chip.textContent()).toBe(label);
      expect(await chip.locator('svg').count()).toBe(1);
      const colour = await chip.evaluate((element) => getComputedStyle(element).backgroundColor);
      colours.push({ state, colour });
    }
    const sharing = colours.filter(({ state, colour }) =>
      colours.some((other) => other.state !== state && other.colour === colour),
    );
    expect(colours).toHaveLength(5);
    expect(sharing).toEqual([]);
  });

  test('has the colours of a state at once, for those who want no motion', async () => {
    const page = await open('light', 1_000);
    await show(page, 'test-running');
    expect(await animationsAfterChange(page)).toEqual([]);
  });

  test('shows the same hours as bars and as rows of a table', async () => {
    const page = await open('light', 1_000);
    await show(page, 'ledger-hour');
    const bars = await page
      .locator('.chart .amount')
      .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('height'))));
    const counts = await page
      .locator('.ledger tbody td.number:nth-child(2)')
      .evaluateAll((all) => all.map((cell) => Number(cell.textContent.replaceAll(',', ''))));
    expect(bars).toHaveLength(24);
    // The newest hour is last among the bars and first in the table.
    const most = Math.max(...counts);
    const expected = counts
      .toReversed()
      .map((count) => (count === 0 ? 0 : Math.max(1.5, (100 * count) / most)));
    expect(bars).toEqual(expected);
    expect(counts).toContain(0);
  });

  test.each(['light', 'dark'] as const)('has pictures (%s)', async (colours) => {
    const page = await open(colours, 1_000);
    for (const name of pictures) {
      await show(page, name);
      const image = await page.screenshot({ fullPage: true, animations: 'disabled' });
      expect(image.length).toBeGreaterThan(5_000);
      if (process.env['OMI_SCREENSHOTS'] === '1')
        await page.screenshot({
          fullPage: true,
          animations: 'disabled',
          path: `docs/images/tenants-${name}-${colours}.png`,
        });
    }
  });
});
