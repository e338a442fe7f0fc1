import { expect } from '@jest/globals';
import { enrolDevice, openChallenge } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { untilConfirmed } from './story.ts';
import { Page } from './page.ts';

const payment = { amount: '20', to: 'Zoë' };

/** Pays by the form of a page whose action runs on the server, as a browser without JavaScript sends it. */
export async function payByAction(url: string, stack: TestStack): Promise<void> {
  const phone = await enrolDevice(stack.website);
  const page = new Page(url);
  expect(await submit(page, payment)).toBe('signed-out');
  await page.signIn(phone.identity.userId);
  expect(await submit(page, payment)).toBe('confirmation-missing');

  const { status, body } = await page.call('POST', '/omi/confirmations', payment);
  expect({ status, body }).toMatchObject({ status: 201, body: { message: 'Pay 20 € to Zoë?' } });
  const action = { ...payment, 'omi-confirmation': String(body['id']) };
  expect(await submit(page, action)).toBe('not-confirmed');
  await phone.confirm(await openChallenge(phone));
  await untilConfirmed(page, String(body['id']));
  expect(await submit(page, action)).toBe('Pay 20 € to Zoë?');
  expect(await submit(page, action)).toBe('confirmation-unknown');
}

/** @returns the result that the page says afterwards */
async function submit(page: Page, fields: Record<string, string>): Promise<string | null> {
  const html = await page.read('/');
  const [, action = ''] = /name="(\$ACTION_ID_[^"]+)"/.exec(html) ?? [];
  const form = new FormData();
  for (const [name, value] of Object.entries({ [action]: '', ...fields })) form.set(name, value);
  const location = await page.submit('/', form);
  return new URL(location, 'http://localhost').searchParams.get('result');
}
