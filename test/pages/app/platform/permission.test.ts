import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { PushPermission } from '../../../../pages/app/src/platform/index.ts';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

// It sets permissions of the whole browser.
const world = usePlatform({ own: { flags: [] } });

afterEach(async () => {
  for (const page of world.context.pages().slice(1)) await page.close();
});

/** What the user chooses in the browser's settings. */
async function set(page: Page, setting: 'granted' | 'denied' | 'prompt'): Promise<void> {
  const cdp = await world.context.newCDPSession(page);
  await cdp.send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting,
    origin: world.origin,
  });
}

const permission = async (page: Page) => await page.evaluate(() => platform.push.permission());

describe('the permission for notifications', () => {
  test.each(['prompt', 'denied', 'granted'] as const)('is %s', async (setting) => {
    const page = await world.open();
    await set(page, setting);
    expect(await permission(page)).toBe(setting);
  });

  test('is off, not revoked, when it was never requested', async () => {
    const page = await world.open();
    await set(page, 'denied');
    const health = await page.evaluate(async () => await platform.push.refresh());
    expect(health).toEqual({ state: 'off', permission: 'denied' });
  });

  test('is reported at once when the user revokes it, and stays revoked after the next start', async () => {
    const page = await world.open();
    await set(page, 'granted');
    // There is no service here: what counts is that the permission was seen.
    const before = await page.evaluate(async () => await platform.push.refresh());
    expect(before).toEqual({ state: 'unreachable' });
    const heard = page.evaluate(
      async () => await new Promise<PushPermission>((resolve) => void platform.push.onChange(resolve)),
    );
    await page.evaluate(() => true); // The listener is there: evaluations run in order.
    await set(page, 'denied');
    expect(await heard).toBe('denied');
    await page.reload();
    await page.waitForFunction(() => 'platform' in globalThis);
    expect(await page.evaluate(async () => await platform.push.refresh())).toEqual({ state: 'revoked' });
  });
});

describe('the app on an iPhone', () => {
  /** Safari's user agent, and the property that only Safari on iOS has. */
  async function openAs(standalone: boolean): Promise<Page> {
    const page = await world.context.newPage();
    const cdp = await world.context.newCDPSession(page);
    await cdp.send('Emulation.setUserAgentOverride', {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    });
    await page.addInitScript((standalone) => {
      Object.defineProperty(navigator, 'standalone', { value: standalone });
    }, standalone);
    await page.goto(world.origin);
    await page.waitForFunction(() => 'platform' in globalThis);
    return page;
  }

  const states = async (page: Page) =>
    await page.evaluate(() => [platform.install.state(), platform.push.permission()]);

  test('must first be added to the Home Screen in Safari', async () => {
    expect(await states(await openAs(false))).toEqual(['manual', 'needs-install']);
  });

  test('may ask for permission on the Home Screen', async () => {
    const page = await openAs(true);
    await set(page, 'prompt');
    expect(await states(page)).toEqual(['installed', 'prompt']);
  });
});

describe('an installation', () => {
  test('is offered once, when the browser offers it', async () => {
    const page = await world.context.newPage();
    // Chromium's own offer would come at any time.
    await page.addInitScript(() => {
      addEventListener('beforeinstallprompt', (event) => {
        if (event.isTrusted) event.stopImmediatePropagation();
      });
    });
    await page.goto(world.origin);
    await page.waitForFunction(() => 'platform' in globalThis);
    const result = await page.evaluate(async () => {
      const states = [platform.install.state()];
      platform.install.onChange((state) => states.push(state));
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => await Promise.resolve({ outcome: 'accepted' }),
      });
      dispatchEvent(offer);
      const answers = [await platform.install.prompt(), await platform.install.prompt()];
      return { states, answers, prevented: offer.defaultPrevented };
    });
    expect(result).toEqual({
      states: ['browser', 'prompt', 'browser'],
      answers: [true, false],
      prevented: true,
    });
  });
});
