import { expect, test } from '@jest/globals';
import { bodyOf } from '../../tools/client/http.ts';
import { listWebPushes } from '../../tools/local/client/local-stack.ts';
import { expectStatus } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { giveSubscription, PushDelivery } from '../support/browser/push-service.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { BrowserSubscription } from '../support/browser-subscription.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { askUser, beginEnrolment, type Enrolled } from './flows.ts';

const stack = useSharedStack();

const describe = await describeIn('chromium');

describe('push in Chromium', () => {
  const chromium = useChromium(stack);

  /** What arrived at the push service for this subscription last, decrypted as the browser does it. */
  async function lastPush(subscription: BrowserSubscription): Promise<string> {
    const arrived = await listWebPushes(stack.file, subscription.endpoint);
    return subscription.decrypt(Buffer.from(arrived.at(-1)?.body ?? '', 'base64url'));
  }

  async function subscribed(
    visitor: Visitor,
  ): Promise<{ enrolled: Enrolled; subscription: BrowserSubscription }> {
    const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${crypto.randomUUID()}`);
    await giveSubscription(visitor, subscription.toJSON());
    const enrolled = await beginEnrolment(visitor, stack.website);
    await visitor.clicks('Continue');
    await visitor.sees('Allow notifications');
    // The app notices it, also without a press on its button.
    await visitor.allowsNotifications();
    await visitor.sees('This device is ready');
    await visitor.clicks('Done');
    await visitor.sees('Nothing to confirm');
    return { enrolled, subscription };
  }

  /** Titles and texts of the notifications that the user sees now. */
  const notifications = async ({ page }: Visitor): Promise<unknown> =>
    await page.evaluate(`navigator.serviceWorker.ready.then(async (registration) =>
      (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag })))`);

  test('notifies of a request, and removes the notification once it is answered', async () => {
    const visitor = await chromium.visitor();
    const { enrolled, subscription } = await subscribed(visitor);
    expect(await visitor.page.getByText('Notifications are off').count()).toBe(0);
    const { devices } = bodyOf(await stack.website.listDevices(enrolled.userId));
    expect(devices[0]?.status).toBe('active');
    const delivery = await PushDelivery.to(visitor);
    const {
      challengeId,
      nonce,
      delivery: sent,
    } = await askUser(enrolled, { message: 'Change your password?' });
    expect(sent).toBe('sent');
    await delivery.deliver(await lastPush(subscription));
    const shown = { title: 'Demo', body: 'Change your password?', tag: challengeId };
    await visitor.waitsFor(async () => await notifications(visitor), [shown]);
    await visitor.page.bringToFront();
    await visitor.clicks('Review');
    await visitor.clicks('Confirm');
    await visitor.sees('Confirmed');
    await visitor.waitsFor(async () => await notifications(visitor), []);
    await expectStatus(stack.website, nonce, 'confirmed');
  });

  test('shows a notification while the app is closed, and opens the app with the request', async () => {
    const visitor = await chromium.visitor();
    const { enrolled, subscription } = await subscribed(visitor);
    const delivery = await PushDelivery.to(visitor);
    await visitor.page.close();
    const { challengeId } = await askUser(enrolled, { message: 'Log in on a new computer?' });
    const message = await lastPush(subscription);
    await delivery.deliver(message);
    const { notification } = JSON.parse(message) as { notification: { navigate: string } };
    expect(notification.navigate).toBe(`${stack.file.appUrl}/#/challenge/${challengeId}`);
    const opened = await visitor.context.newPage();
    await opened.goto(notification.navigate);
    await opened.getByRole('heading', { name: 'Confirm this request?' }).waitFor();
    await opened.getByText('Log in on a new computer?').waitFor();
  });

  test.each([
    ['nothing', ''],
    ['invalid JSON', 'hello'],
    ['another message', '{"web_push":8030,"notification":{"title":7}}'],
  ])(
    'shows a notification for a push with %s, because browsers demand one for each push',
    async (_, data) => {
      const visitor = await chromium.visitor();
      await subscribed(visitor);
      const delivery = await PushDelivery.to(visitor);
      await delivery.deliver(data);
      const body = 'Open the app to see what you are asked to confirm.';
      const shown = { title: 'Confirmation request', body, tag: 'omi' };
      await visitor.waitsFor(async () => await notifications(visitor), [shown]);
    },
  );
});
