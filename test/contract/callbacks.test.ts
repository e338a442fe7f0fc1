/** Call-backs of the running service, to receivers that behave as websites do and as they should not. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf } from '../../client/http.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { accepting, answering, Receiver, verified } from './callbacks/receiver.ts';
import { CallbackWebsite } from './callbacks/website.ts';
import { enrolDevice, openChallenge, push } from './scenario.ts';

const stack = useSharedStack();
const LONG = 120_000;

let receiver: Receiver;
let website: CallbackWebsite;

beforeAll(async () => {
  receiver = await Receiver.start();
  website = await CallbackWebsite.open(stack, receiver.url);
}, LONG);
afterAll(async () => await receiver.close());

async function asked(client = website.client) {
  const device = await enrolDevice(client);
  const sent = await push(client, device);
  return { device, sent };
}

describe('a call-back', () => {
  test('tells of a confirmation, as the unmodified library verifies it', async () => {
    const { device, sent } = await asked();
    bodyOf(await device.confirm(await openChallenge(device)));
    const [call] = await receiver.until(1, sent.challengeId);
    const { nonce, matchCode, ...confirmation } = bodyOf(await website.client.getConfirmation(sent.nonce));
    expect(nonce).toBe(sent.nonce);
    expect(matchCode).toBeUndefined();
    expect(call?.body).toEqual({
      type: 'confirmation.confirmed',
      timestamp: confirmation.decidedAt,
      data: confirmation,
    });
    expect(call && verified(call, website.secret)).toEqual(call?.body);
    expect(await website.receiver()).toMatchObject({ state: 'active', fast: true });
  });

  test('tells of a denial, a withdrawal and the removal of a device', async () => {
    const [denied, withdrawn, removed] = await Promise.all([asked(), asked(), asked()]);
    bodyOf(await denied.device.deny(await openChallenge(denied.device), 'not_me'));
    await website.client.withdraw(withdrawn.sent.nonce);
    await removed.device.remove();
    const dataOf = async ({ sent }: typeof denied) => (await receiver.until(1, sent.challengeId))[0]?.body;
    expect(await dataOf(denied)).toMatchObject({ type: 'confirmation.denied', data: { reason: 'not_me' } });
    for (const [one, reason] of [
      [withdrawn, 'withdrawn'],
      [removed, 'device_removed'],
    ] as const)
      expect(await dataOf(one)).toMatchObject({ type: 'confirmation.cancelled', data: { reason } });
  });
});

test(
  'a receiver that fails is called again after 1 and 5 s, with a new signature and the same id',
  async () => {
    const failing = await Receiver.start((response, call, calls) =>
      (calls > 2 ? accepting : answering(500))(response, call, calls),
    );
    const other = await CallbackWebsite.open(stack, failing.url);
    const { device, sent } = await asked(other.client);
    bodyOf(await device.confirm(await openChallenge(device)));
    const calls = await failing.until(3, sent.challengeId);
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(calls.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
    for (const call of calls) verified(call, other.secret);
    const [first = 0, second = 0, third = 0] = calls.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(5_000);
    await failing.close();
  },
  LONG,
);
