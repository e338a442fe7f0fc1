import { expect, test } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { lookByAxe, rulesOfAxe } from '#ui/testing/axe.ts';
import { listWebPushes } from '../../tools/local/client/local-stack.ts';
import { exportScopes, TenantConsole } from '../contract/exports-api/tenant-console.ts';
import { poll, startEnrolment } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { clicks, sees, tabsTo, useFirefox } from '../support/browser/firefox.ts';
import { until } from '../support/waiting.ts';
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
});

const describe = await describeIn('firefox');

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

describe('Firefox', () => {
  const { open } = useFirefox(() => preferences(stack.file.webPushUrl));

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
