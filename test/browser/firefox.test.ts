import { afterAll, beforeAll, expect, test } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { lookByAxe, rulesOfAxe } from '#ui/testing/axe.ts';
import { listWebPushes } from '../../tools/local/client/local-stack.ts';
import { exportScopes, TenantConsole } from '../contract/exports-api/tenant-console.ts';
import { poll, startEnrolment } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { patienceMs } from '../support/browser/within.ts';
import { until } from '../support/receiver.ts';
import { sharedOfRun } from '../support/run-services.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { askUser, newPerson } from './flows.ts';

const stack = useSharedStack();

/** Firefox's own push client talks to the local push service, and the user has allowed notifications. */
const preferences = (webPushUrl: string) => ({
  // Puppeteer switches it off.
  'dom.push.connection.enabled': true,
  'dom.push.serverURL': webPushUrl.replace(/^http/, 'ws'),
  'dom.push.testing.allowInsecureServerURL': true,
  'permissions.default.desktop-notification': 1,
  'alerts.useSystemBackend': false,
  'intl.accept_languages': 'en-GB',
});

const describe = await describeIn('firefox');

/** What has the focus, by the name that a screen reader says. */
const focused = `(({ labels, textContent }) => (labels?.[0]?.textContent || textContent).trim())(
  document.activeElement)`;

/** True once the app's record of its account has the subscription that the service accepted. A device is active without one. */
const serviceKnowsSubscription = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('omi');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction('accounts').objectStore('accounts').getAll();
    reading.onerror = () => reject(reading.error);
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.length > 0 && reading.result.every((record) => record.sentSubscription));
    };
  };
})`;

/** As somebody without a mouse does. */
async function tabsTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    if ((await page.evaluate(focused)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`30 times Tab did not reach "${name}"`);
}

describe('Firefox', () => {
  let browser: Browser;

  beforeAll(async () => {
    const executablePath = await sharedOfRun('firefox');
    const extraPrefsFirefox = preferences(stack.file.webPushUrl);
    browser = await puppeteer.launch({ browser: 'firefox', executablePath, extraPrefsFirefox });
  }, 60_000);
  afterAll(async () => await browser.close());

  async function open(url: string): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(url);
    return page;
  }

  // A locator of Puppeteer waits for animation frames, which Firefox gives to the front tab only.
  const clicks = async (page: Page, name: string): Promise<void> => {
    const path = `//*[self::a or self::button][normalize-space()="${name}"]`;
    const element = await page.waitForSelector(`::-p-xpath(${path})`);
    // Not at its place on the screen, where it may still be moving.
    await element?.evaluate((found) => (found as unknown as { click: () => void }).click());
  };

  const sees = async (page: Page, heading: string): Promise<unknown> =>
    await page.waitForSelector(`::-p-xpath(//h1[normalize-space()="${heading}"])`);

  /** Asks in the page, as the browser has no event for it. */
  const notificationsOf = async (page: Page): Promise<unknown> =>
    await page.evaluate(`navigator.serviceWorker.ready.then(async (registration) => {
      for (;;) {
        const shown = await registration.getNotifications();
        if (shown.length > 0) return shown.map(({ title, body, tag }) => ({ title, body, tag }));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })`);

  test('receives a real push while the app is closed', async () => {
    const userId = newPerson();
    const { qr } = await startEnrolment(stack.website, userId);
    const app = await open(qr);
    await clicks(app, 'Continue');
    await sees(app, 'This device is ready');
    // The app may have enrolled before it had a subscription, which it then sends.
    await until(async () => Boolean(await app.evaluate(serviceKnowsSubscription)));
    await clicks(app, 'Done');
    await sees(app, 'Nothing to confirm');
    // Not a page of the app, so that only the service worker can show what arrives. Without any page Firefox ends.
    const other = await open(`${stack.file.appUrl}/no-page`);
    await app.close();

    const message = 'Pay 99.00 € to the bike shop?';
    const { nonce, challengeId, delivery } = await askUser({ website: stack.website, userId }, { message });
    expect(delivery).toBe('sent');
    expect(JSON.stringify(await listWebPushes(stack.file))).not.toContain('bike shop');

    expect(await notificationsOf(other)).toEqual([{ title: 'Demo', body: message, tag: challengeId }]);

    await other.goto(`${stack.file.appUrl}/#/challenge/${challengeId}`);
    await sees(other, 'Confirm this request?');
    await clicks(other, 'Confirm');
    await sees(other, 'Confirmed');
    expect((await poll(stack.website, nonce)).status).toBe('confirmed');
  });

  test("tests an export on the tenants' page without a mouse, and axe finds it accessible", async () => {
    const console = await TenantConsole.open(stack, exportScopes);
    await console.activateStream();
    const page = await open(stack.file.exportsUrl);
    await tabsTo(page, 'Access token');
    await page.keyboard.type(await console.client.accessToken());
    await tabsTo(page, 'Show my exports');
    await page.keyboard.press('Enter');
    await sees(page, 'Your exports');
    await tabsTo(page, 'Public events');
    await page.keyboard.press('Enter');
    await sees(page, 'Public events');
    await tabsTo(page, 'Test now');
    await page.keyboard.press('Enter');
    await page.waitForSelector('::-p-text(The test has passed.)');
    const { kept, faults } = await lookByAxe(page, rulesOfAxe);
    expect(faults).toEqual([]);
    expect(kept).toBeGreaterThanOrEqual(10);
    await page.close();
  });
});
