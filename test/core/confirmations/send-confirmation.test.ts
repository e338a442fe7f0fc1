import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a nonce', () => {
  const day = 24 * 60 * 60_000;

  test('is in use for 24 hours after the expiry, and free when DynamoDB may delete the item', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce: 'nonce-in-and-out', expiresIn: 30 }, start);
    const ended = start + 30_000;
    const late = { nonce: 'nonce-in-and-out', message: 'Another?', expiresIn: 30 };
    await expect(world.send(late, ended + day - 1000)).rejects.toMatchObject({ code: 'nonce-already-used' });
    expect(await world.poll(late.nonce, ended + day - 1000)).toMatchObject({ status: 'expired' });

    expect(await world.poll(late.nonce, ended + day + 1000)).toBeUndefined();
    expect(await world.send(late, ended + day + 1000)).toMatchObject({ status: 'pending' });
    expect(world.sns.published).toBe(2);
  });

  test('returns the same confirmation in every state, also beyond the push limits', async () => {
    const world = new PushWorld(client, {
      ...defaultSettings,
      pushLimits: { ...defaultSettings.pushLimits, perTenMinutes: 1 },
    });
    await world.addDevice('phone', start);
    await world.send({ nonce: 'nonce-sent-again' }, start);
    expect(await world.send({ nonce: 'nonce-sent-again' }, start + 1000)).toMatchObject({ createdAt: start });
    await expect(world.send({ nonce: 'nonce-of-another' }, start + 1000)).rejects.toMatchObject({
      code: 'too-many-notifications',
      options: { retryAfter: 599 },
    });
    await expect(
      world.send({ nonce: 'nonce-sent-again', message: 'Another?' }, start + 1000),
    ).rejects.toMatchObject({ code: 'nonce-already-used' });
    expect(world.sns.published).toBe(1);
  });
});

describe('a CIBA request to a user with several devices', () => {
  const asked = { ofSeveral: 'usual', ciba: { scope: 'openid', interval: 2 } } as const;
  const minute = 60_000;

  async function worldWithTwo(): Promise<PushWorld> {
    const world = new PushWorld(client);
    await world.addDevice('newer', start - 1000);
    await world.addDevice('older', start - 2000);
    return world;
  }

  test('goes to the oldest, and after a confirmation to the device that confirmed', async () => {
    const world = await worldWithTwo();
    expect(await world.send({ ...asked, nonce: 'nonce-to-the-oldest' }, start)).toMatchObject({
      deviceId: 'older',
    });
    const { challengeId, messageHash } = await world.send(
      { nonce: 'nonce-to-newer-one', deviceId: 'newer' },
      start,
    );
    await world.answer('newer', { challengeId, messageHash, decision: 'confirm' }, 'jws', start + minute);
    expect(await world.send({ ...asked, nonce: 'nonce-to-last-used' }, start + minute)).toMatchObject({
      deviceId: 'newer',
    });
    await world.remove('newer', start + 5 * minute);
    expect(await world.send({ ...asked, nonce: 'nonce-to-what-is-left' }, start + 5 * minute)).toMatchObject({
      deviceId: 'older',
    });
  });

  test('stores only the hash of its nonce, and does not repeat a push with this nonce', async () => {
    const world = await worldWithTwo();
    const nonce = 'nonce-that-is-not-kept';
    const sent = await world.send({ ...asked, nonce }, start);
    expect(sent.nonce).toBeUndefined();
    const stored = await world.poll(nonce, start);
    expect(JSON.stringify(stored)).not.toContain(nonce);
    await expect(world.send({ nonce, deviceId: 'older' }, start)).rejects.toMatchObject({
      code: 'nonce-already-used',
    });
  });

  test('is recorded once when the answer of the table is lost', async () => {
    const world = await worldWithTwo();
    const lost = losingOneAnswer();
    expect(await world.send({ ...asked, nonce: 'nonce-of-lost-answer' }, start)).toMatchObject({
      deviceId: 'older',
    });
    expect(lost()).toBe(1);
    expect(world.sns.published).toBe(1);
  });
});

/** The next transaction is carried out, and its answer does not arrive. */
function losingOneAnswer(): () => number {
  const original = client.send.bind(client);
  let lost = 0;
  const sending = jest.spyOn(client, 'send') as unknown as jest.SpiedFunction<
    (command: object) => Promise<unknown>
  >;
  sending.mockImplementation(async (command) => {
    const answer: unknown = await original(command as never);
    if (lost > 0 || command.constructor.name !== 'TransactWriteCommand') return answer;
    lost += 1;
    throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
  });
  return () => lost;
}
