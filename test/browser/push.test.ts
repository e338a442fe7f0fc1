import { expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { listWebPushes } from '../../tools/local/client/local-stack.ts';
import { jsonOn } from '../cli/omi.ts';
import { expectStatus } from '../contract/scenario.ts';
import { describeIn } from '../support/browser/browser-of-run.ts';
import { giveSubscription, PushDelivery } from '../support/browser/push-service.ts';
import { useChromium } from '../support/browser/use-chromium.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { BrowserSubscription } from '../support/browser-subscription.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { askUser, beginEnrolment, type Enrolled, websiteOf } from './flows.ts';

const stack = useSharedStack();

const logo = 'pages/app/icons/badge-96.png';

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
    website = stack.website,
  ): Promise<{ enrolled: Enrolled; subscription: BrowserSubscription }> {
    const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${crypto.randomUUID()}`);
    await giveSubscription(visitor, subscription.toJSON());
    const enrolled = await beginEnrolment(visitor, website);
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

  test('brings a request to the screen that says that the device is ready, by itself and without a touch', async () => {
    const visitor = await chromium.visitor();
    // Time stands still for the page: no poll of its own can be what shows the request.
    await visitor.page.clock.install();
    const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${crypto.randomUUID()}`);
    await giveSubscription(visitor, subscription.toJSON());
    await visitor.allowsNotifications();
    const enrolled = await beginEnrolment(visitor, stack.website);
    await visitor.clicks('Continue');
    await visitor.sees('This device is ready');
    await visitor.isControlled();
    const delivery = await PushDelivery.to(visitor);
    await visitor.page.bringToFront();
    await visitor.page.clock.pauseAt(Date.now() + 1_000);
    const asks: string[] = [];
    visitor.page.on('request', (request) => asks.push(new URL(request.url()).pathname));
    const { challengeId } = await askUser(enrolled);
    expect(asks).toEqual([]);
    await delivery.deliver(await lastPush(subscription));
    await visitor.sees('Confirm this request?');
    expect(visitor.page.url()).toBe(`${stack.file.appUrl}/#/challenge/${challengeId}`);
    expect(asks[0]).toMatch(/\/omi\/device\/challenges$/);
  });

  /** The user presses an action of the notification that is shown. */
  const press = async ({ context }: Visitor, action: string): Promise<void> => {
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(`(async () => {
      const [notification] = await registration.getNotifications();
      const waiting = [];
      const waitUntil = (work) => waiting.push(work);
      const pressed = { notification, action: '${action}', waitUntil };
      dispatchEvent(Object.assign(new Event('notificationclick'), pressed));
      // Chromium lets a worker focus a window only if a person pressed.
      await Promise.allSettled(waiting);
    })()`);
  };

  test.each([
    ['deny', 'denied', 'user_declined', 'Denied. Log in on a new computer?'],
    ['confirm', 'confirmed', undefined, 'Confirmed. Log in on a new computer?'],
  ] as const)('the notification itself can %s', async (action, status, reason, body) => {
    const visitor = await chromium.visitor();
    const { enrolled, subscription } = await subscribed(visitor);
    const delivery = await PushDelivery.to(visitor);
    const { nonce, challengeId } = await askUser(enrolled, { message: 'Log in on a new computer?' });
    await delivery.deliver(await lastPush(subscription));
    await visitor.waitsFor(async () => ((await notifications(visitor)) as object[]).length, 1);
    await press(visitor, action);
    await expectStatus(stack.website, nonce, status, reason);
    await visitor.waitsFor(
      async () => await notifications(visitor),
      [{ title: 'Demo', body, tag: challengeId }],
    );
    await visitor.page.bringToFront();
    await visitor.clicks('History');
    await visitor.reads('Log in on a new computer?');
  });

  /** What the service worker says on the app's icon from now on: how many wait, 0 if none. */
  async function watchBadge({ context }: Visitor): Promise<() => Promise<unknown>> {
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(`Object.assign(navigator, {
      setAppBadge: async (count) => void (self.badge = count ?? 'some'),
      clearAppBadge: async () => void (self.badge = 0),
    })`);
    return async () => await worker?.evaluate('self.badge');
  }

  /** What other devices of the user get when one of them has answered. */
  const answered = (challengeId: string): string =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        ...{ title: 'Demo', body: 'Answered on another device.', navigate: '/#/', tag: challengeId },
        data: { challengeId, notice: 'answered' },
      },
    });

  test('an answer leaves the picture of the tenant, and a badge for what still waits at any account', async () => {
    const visitor = await chromium.visitor();
    const json = jsonOn(stack);
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Velo AG');
    await json('tenant', 'set', tenantId, '--brand-name', 'Velo', '--brand-logo', logo);
    const logoRead = visitor.page.waitForResponse(/\/logo$/);
    const { enrolled, subscription } = await subscribed(visitor, await websiteOf(stack, tenantId));
    await logoRead;
    const other = await beginEnrolment(visitor, stack.neighbour);
    await visitor.clicks('Continue');
    await visitor.sees('This device is ready');
    const delivery = await PushDelivery.to(visitor);
    const badge = await watchBadge(visitor);
    const waits = await askUser(other, { message: 'Log in at the neighbour?' });
    await askUser(enrolled);
    await delivery.deliver(await lastPush(subscription));
    const icons = async (): Promise<unknown> =>
      await visitor.page.evaluate(`navigator.serviceWorker.ready.then(async (registration) =>
        (await registration.getNotifications()).map(({ body, icon }) => [body, new URL(icon).pathname]))`);
    const logoPath = `/omi/device/tenants/${tenantId}/logo`;
    await visitor.waitsFor(async () => ((await icons()) as unknown[]).length, 1);
    expect(await icons()).toEqual([['Pay 16.00 € to Café Zoë?', logoPath]]);
    expect(await badge()).toBe('some');
    await press(visitor, 'deny');
    await visitor.waitsFor(badge, 1);
    expect(await icons()).toEqual([['Denied. Pay 16.00 € to Café Zoë?', logoPath]]);
    await stack.neighbour.withdraw(waits.nonce);
    await delivery.deliver(answered(waits.challengeId));
    await visitor.waitsFor(badge, 0);
  });

  test('a notification of a request with details offers no confirmation, and one is not taken', async () => {
    const visitor = await chromium.visitor();
    const { enrolled, subscription } = await subscribed(visitor);
    const delivery = await PushDelivery.to(visitor);
    const authorizationDetails = [{ type: 'payment', amount: '1.00' }];
    const { nonce } = await askUser(enrolled, { message: 'Pay 1.00 €?', authorizationDetails });
    await delivery.deliver(await lastPush(subscription));
    await visitor.waitsFor(async () => ((await notifications(visitor)) as object[]).length, 1);
    await press(visitor, 'confirm');
    await visitor.sees('Confirm this request?');
    await expectStatus(stack.website, nonce, 'pending');
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
