import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { type ArrivedWebPush, listWebPushes, withFault } from '../../../tools/local/client/local-stack.ts';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { listed, openChallenge, poll, push } from '../scenario.ts';
import { enrolWebDevice, refresh } from './enrol.ts';

type Declarative = { web_push: number; notification: Record<string, unknown> };

export function pushes(stack: TestStack): void {
  const newSubscription = () => new BrowserSubscription(`${stack.file.webPushUrl}/${randomUUID()}`);
  const arrivedAt = async ({ endpoint }: BrowserSubscription): Promise<ArrivedWebPush[]> =>
    await listWebPushes(stack.file, endpoint);
  const opened = (browser: BrowserSubscription, { body }: ArrivedWebPush) =>
    JSON.parse(browser.decrypt(Buffer.from(body, 'base64url'))) as Declarative;

  async function enrolled(): Promise<{ browser: BrowserSubscription; device: SimulatedDevice }> {
    const browser = newSubscription();
    const device = await enrolWebDevice(stack.website, { subscription: browser.toJSON() });
    return { browser, device };
  }

  test('arrives encrypted for the browser as Declarative Web Push', async () => {
    const { browser, device } = await enrolled();
    const message = 'Pay "16.00 €" to Café Zoë ☕?';
    const sent = await push(stack.website, device, { message });
    expect(sent.delivery).toBe('sent');
    const [arrived, ...others] = await arrivedAt(browser);
    expect(others).toEqual([]);
    expect(arrived && opened(browser, arrived)).toEqual({
      web_push: 8030,
      notification: {
        title: stack.file.tenants[0].name,
        body: message,
        navigate: `${stack.file.appUrl}/#/challenge/${sent.challengeId}`,
        tag: sent.challengeId,
        data: { challengeId: sent.challengeId, expiresAt: sent.expiresAt },
      },
    });
    expect(JSON.stringify(arrived)).not.toContain(sent.nonce);
    succeeded(await device.confirm(await openChallenge(device)), 200);
  });

  test('goes to the new subscription after a refresh', async () => {
    const { browser, device } = await enrolled();
    const next = newSubscription();
    succeeded(await refresh(device, { subscription: next.toJSON() }), 204);
    expect((await push(stack.website, device)).delivery).toBe('sent');
    expect(await arrivedAt(browser)).toEqual([]);
    expect(await arrivedAt(next)).toHaveLength(1);
  });

  test('forgets a subscription that is gone until the browser sends another one', async () => {
    const { browser, device } = await enrolled();
    const gone = { service: 'webpush', fault: 'gone', resource: browser.endpoint, times: 1 } as const;
    const sent = await withFault(stack.file, gone, async () => await push(stack.website, device));
    expect(sent).toMatchObject({ status: 'pending', delivery: 'unreachable' });
    expect((await poll(stack.website, sent.nonce)).delivery).toBe('unreachable');
    expect((await listed(stack.website, device)).status).toBe('unreachable');
    expect(succeeded(await device.challenges(), 200).push).toBe('unreachable');
    succeeded(await device.confirm(await openChallenge(device)), 200);
    const again = await push(stack.website, device);
    expect(again.delivery).toBe('unreachable');
    expect(await arrivedAt(browser)).toEqual([]);
    succeeded(await device.confirm(await openChallenge(device)), 200);
    succeeded(await refresh(device, { subscription: browser.toJSON() }), 204);
    expect((await listed(stack.website, device)).status).toBe('active');
    expect(succeeded(await device.challenges(), 200).push).toBe('on');
    expect((await push(stack.website, device)).delivery).toBe('sent');
    expect(await arrivedAt(browser)).toHaveLength(1);
  });

  test('never leaves for a foreign endpoint, and reports only that it failed', async () => {
    const { keys } = newSubscription().toJSON();
    const endpoint = 'https://nowhere.push.services.mozilla.com/wpush/v2/x';
    const device = await enrolWebDevice(stack.website, { subscription: { endpoint, keys } });
    expect((await push(stack.website, device)).delivery).toBe('failed');
    expect(await stack.log()).not.toContain(endpoint);
  });
}
