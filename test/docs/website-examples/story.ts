import { expect } from '@jest/globals';
import { eventually } from '../../support/waiting.ts';
import { enrolDevice, openChallenge } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { Page } from './page.ts';

/** Signs in, pays with a confirmation, and tries what must not work. */
export async function payAt(url: string, stack: TestStack): Promise<void> {
  const phone = await enrolDevice(stack.website);
  const page = new Page(url);
  const payment = { amount: '20', to: 'Zoë & Co' };
  expect((await page.call('POST', '/omi/confirmations', payment)).status).toBe(401);
  expect((await page.call('POST', '/pay', payment)).status).toBe(401);
  await page.signIn(phone.identity.userId);

  expect(await page.sendWithoutScript('/pay', payment)).toEqual([403, 'text/html']);

  expect(await page.call('GET', '/omi/devices')).toMatchObject({
    status: 200,
    body: { devices: [{ name: phone.description.name }] },
  });
  const foreign = await page.call('POST', '/omi/confirmations', payment, { origin: 'https://evil.example' });
  expect(foreign).toMatchObject({ status: 403, body: { code: 'cross-site-request' } });
  const denied = await page.call('POST', '/omi/confirmations', { ...payment, amount: 'all' });
  expect(denied).toMatchObject({ status: 403, body: { code: 'denied' } });

  const withdrawn = await page.call('POST', '/omi/confirmations', payment);
  const { status } = await page.call('DELETE', `/omi/confirmations/${String(withdrawn.body['id'])}`);
  expect(status).toBe(204);

  const { body } = await page.call('POST', '/omi/confirmations', payment);
  expect(body).toMatchObject({ status: 'pending', message: 'Pay 20 € to Zoë & Co?' });
  const id = String(body['id']);
  expect((await page.call('POST', '/pay', { ...payment, 'omi-confirmation': id })).status).toBe(403);
  await phone.confirm(await openChallenge(phone));
  await untilConfirmed(page, id);

  const swapped = { ...payment, amount: '2000', 'omi-confirmation': id };
  expect((await page.call('POST', '/pay', swapped)).status).toBe(403);
  const action = { ...payment, 'omi-confirmation': id };
  const paid = { status: 200, body: { done: 'Pay 20 € to Zoë & Co?' } };
  expect(await page.call('POST', '/pay', action)).toMatchObject(paid);
  expect((await page.call('POST', '/pay', action)).status).toBe(403);
}

/** Asks as the page does. */
export async function untilConfirmed(page: Page, id: string): Promise<void> {
  const isConfirmed = async (): Promise<true | undefined> => {
    const look = await page.call('GET', `/omi/confirmations/${id}`);
    return look.body['status'] === 'confirmed' ? true : undefined;
  };
  await eventually('the confirmation', isConfirmed);
}
