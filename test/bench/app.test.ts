import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Round } from '../../bench/app/measure.ts';
import { render } from '../../bench/app/report.ts';
import { appSizes, type Sizes } from '../../bench/app/sizes.ts';
import { blockOf, documentPath } from '../../bench/report/document.ts';
import { within } from '../support/browser/within.ts';

test('the sizes are those of the build, with the texts of one language each', async () => {
  const { firstLoad, serviceWorker, bundles } = await appSizes();
  const sizes = Object.values(firstLoad);
  expect(sizes).toHaveLength(5);
  expect(Math.min(...sizes)).toBeGreaterThan(20_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000);
  // Their texts differ in length, and are a small part of it.
  expect(new Set(sizes).size).toBe(5);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(3_000);
  expect(serviceWorker).toBeGreaterThan(1_000);
  for (const bytes of Object.values(bundles)) expect(bytes).toBeGreaterThan(100_000);
});

const sizes: Sizes = {
  firstLoad: { en: 40_100, de: 40_300, nl: 40_200, fr: 40_500, es: 40_400 },
  serviceWorker: 7_000,
  bundles: { 'send-to-device': 290_000, 'send-to-user': 290_001 },
};

const roundOf = (milliseconds: number): Round => ({
  firstVisit: milliseconds,
  laterVisit: milliseconds + 1,
  sent: milliseconds + 2,
  notified: milliseconds + 3,
  shown: milliseconds + 4,
  answerable: milliseconds + 5,
  confirmed: milliseconds + 6,
});

const report = render({
  browser: 'Chromium 150',
  rounds: [10, 20, 30].map(roundOf),
  sizes,
  at: new Date('2026-11-22T11:00:00Z'),
  load: 1.5,
});

describe('the report', () => {
  const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replaceAll(/\s+/g, ' '));
  /** The first column is what is measured. */
  const namesOf = (text: string): (string | undefined)[] =>
    linesOf(text)
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|')[1]);

  test('has the largest first load, medians and 90th percentiles', () => {
    const lines = linesOf(report);
    expect(lines).toContain('| **largest first load** | 40,500 |');
    expect(lines).toContain('| from the tap on "Confirm" until the result is shown | 26 | 36 |');
    expect(lines[0]).toMatch(/Chromium 150 without a window\. 2026-11-22\. Load average 1\.5\.$/);
  });

  test('has the same tables as docs/performance.md', async () => {
    const block = blockOf(await readFile(documentPath, 'utf8'), 'bench:app') ?? '';
    expect(namesOf(block).length).toBeGreaterThan(15);
    // Rules are as wide as the figures.
    const named = (text: string): (string | undefined)[] =>
      namesOf(text).filter((name) => !/^ -+ $/.test(name ?? ''));
    expect(named(block)).toEqual(named(report));
  });
});

describe('a wait in a browser', () => {
  test('ends with what it waits for', async () => {
    await expect(within('A thing', Promise.resolve(7))).resolves.toBe(7);
  });

  test('ends also if it never comes, and says what did not', async () => {
    const never = new Promise<never>(() => undefined);
    await expect(within('The notification', never, 5)).rejects.toThrow('The notification: not within 5 ms');
  });
});
