import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

const world = usePlatform();

/** Resolves when the page has a new version, which the browser finds within a day; here at once. */
const updateOf = async (page: Page): Promise<void> =>
  await page.evaluate(async () => {
    const available = new Promise<void>((resolve) => void platform.updates.onAvailable(resolve));
    await (await navigator.serviceWorker.ready).update();
    await available;
  });

const shells = async (page: Page) => await page.evaluate(async () => await caches.keys());

describe('a new version', () => {
  test('waits until a window applies it, then no file of the old version is left', async () => {
    const page = await world.open();
    await world.worker(page);
    const old = await shells(page);
    await world.serve(await world.build('test/pages/app/platform/page-newer.ts'));
    await updateOf(page);
    await page.reload();
    expect(await page.title()).toBe('OMI');
    await page.waitForFunction(() => 'platform' in globalThis);
    const reloaded = page.waitForEvent('load');
    await page.evaluate(async () => {
      await new Promise<void>((resolve) => void platform.updates.onAvailable(resolve));
      platform.updates.apply();
    });
    await reloaded;
    await page.waitForFunction(() => document.title === 'Newer');
    const now = await shells(page);
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(old);
  });

  test('is announced to another window that runs the old version', async () => {
    const [page, other] = [await world.open(), await world.open()];
    await world.serve(await world.build('test/pages/app/platform/page.ts'));
    await updateOf(page);
    const heard = other.evaluate(async () => {
      await new Promise<void>((resolve) => {
        let times = 0; // Once as the new version is ready, and once as it runs.
        platform.updates.onAvailable(() => {
          times += 1;
          if (times === 2) resolve();
        });
      });
      platform.updates.apply();
    });
    await page.evaluate(() => platform.updates.apply());
    await heard;
    await other.waitForFunction(() => document.title === 'OMI' && 'platform' in globalThis);
  });
});
