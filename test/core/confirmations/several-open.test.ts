import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Fetch } from '../../../core/confirmations/confirmation.ts';
import { listChallenges } from '../../../core/confirmations/list-challenges.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
const hour = 60 * minute;

const settings = (openPerDevice: number, changes: Partial<TenantSettings> = {}): TenantSettings => ({
  ...defaultSettings,
  openPerDevice,
  longestLifetime: 86_400,
  pushLimits: { ...defaultSettings.pushLimits, perTenMinutes: 1000, perDay: 1000, pauseAfter: 100 },
  ...changes,
});

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

async function worldWith(openPerDevice: number, changes: Partial<TenantSettings> = {}): Promise<PushWorld> {
  const world = new PushWorld(client, settings(openPerDevice, changes));
  await world.addDevice('phone', start - hour);
  return world;
}

const nonceOf = (index: number): string => `nonce-number-${String(index).padStart(4, '0')}`;

/** Sends `count` confirmations a second apart. The first lives longest. */
async function sendMany(world: PushWorld, count: number): Promise<string[]> {
  const nonces = Array.from({ length: count }, (_, index) => nonceOf(index));
  for (const [index, nonce] of nonces.entries())
    await world.send({ nonce, expiresIn: 3600 - 60 * index, deviceId: 'phone' }, start + index * 1000);
  return nonces;
}

const decide = async (world: PushWorld, nonce: string, decision: 'confirm' | 'deny', now: number) => {
  const challengeId = challengeIdOf(world.tenantId, nonce);
  const claims = { challengeId, messageHash: messageHashOf('Pay?'), decision };
  return await world.answer('phone', claims, `jws-of-${nonce}`, now);
};

const openIn = async (world: PushWorld) => (await world.devices.loadUser(world)).history.open;

/** Each call is a request of its own, signed when it is made, unless the test says otherwise. */
async function listed(world: PushWorld, now: number, isSuspended = false, signed: Partial<Fetch> = {}) {
  const load = async () => {
    const { devices, ...record } = await world.devices.loadUser(world);
    const device = devices.find(({ deviceId }) => deviceId === 'phone');
    if (!device) throw new Error('The device is gone');
    return { ...record, device, isSuspended };
  };
  const fetch = { issuedAt: now, jwsHash: randomUUID(), call: randomUUID(), ...signed };
  return (await listChallenges(world, load, { fetch, now })).challenges;
}

describe('open confirmations of a device', () => {
  test("are limited by the tenant's setting: the next is refused until the first expires", async () => {
    const world = await worldWith(3);
    await sendMany(world, 3);
    const next = { nonce: 'nonce-of-the-next', deviceId: 'phone' };
    await expect(world.send(next, start + minute)).rejects.toMatchObject({
      code: 'confirmation-pending',
      message: '3 other confirmations are open on this device.',
      // The third lives for 58 minutes, from the second second on.
      options: { retryAfter: 57 * 60 + 2 },
    });
    await decide(world, nonceOf(1), 'confirm', start + minute);
    await expect(world.send(next, start + minute)).resolves.toMatchObject({ status: 'pending' });
  });

  test('may exceed a setting that was lowered: the next is refused until enough have expired', async () => {
    const world = await worldWith(3);
    await sendMany(world, 3);
    const strict = new PushWorld(client, settings(1), world.tenantId);
    await expect(strict.send({ nonce: 'nonce-of-the-next' }, start + 2000)).rejects.toMatchObject({
      code: 'confirmation-pending',
      options: { retryAfter: 3598 },
    });
  });

  test('count for each device separately', async () => {
    const world = await worldWith(2);
    await world.addDevice('tablet', start - hour);
    await sendMany(world, 2);
    for (const index of [7, 8])
      await expect(
        world.send({ nonce: nonceOf(index), deviceId: 'tablet' }, start + minute),
      ).resolves.toMatchObject({ status: 'pending' });
  });

  test('count against the push limits, however many may be open', async () => {
    const { pushLimits } = defaultSettings;
    const world = await worldWith(20, { pushLimits });
    await sendMany(world, 5);
    await expect(world.send({ nonce: 'nonce-of-the-next' }, start + minute)).rejects.toMatchObject({
      code: 'too-many-notifications',
    });
    for (const index of [0, 1, 2]) await decide(world, nonceOf(index), 'deny', start + 20 * minute);
    await expect(world.send({ nonce: 'nonce-of-the-next' }, start + 21 * minute)).rejects.toMatchObject({
      code: 'too-many-notifications',
      options: { retryAfter: 4 * 60 },
    });
  });

  test('cause one pause when the last expire together, and are counted individually', async () => {
    const world = await worldWith(20, { pushLimits: { ...settings(20).pushLimits, pauseAfter: 3 } });
    for (const index of [0, 1, 2, 3]) await world.send({ nonce: nonceOf(index), expiresIn: 3600 }, start);
    const after = start + hour + minute;
    await expect(world.send({ nonce: 'nonce-of-the-next' }, after)).rejects.toMatchObject({
      code: 'too-many-notifications',
      options: { retryAfter: 9 * 60 },
    });
    for (const index of [0, 1, 2, 3])
      expect(await world.events(challengeIdOf(world.tenantId, nonceOf(index)))).toHaveLength(2);
    await world.send({ nonce: 'nonce-of-the-next' }, after + 9 * minute);
    expect((await world.devices.loadUser(world)).history).toMatchObject({ unsuccessfulInARow: 4 });
  });

  test.each(['confirm', 'deny'] as const)(
    'are answered individually, in any order (%s)',
    async (decision) => {
      const world = await worldWith(20);
      const nonces = await sendMany(world, 20);
      const order = nonces.toSorted((a, b) => b.localeCompare(a));
      await Promise.all(order.slice(0, 4).map((nonce) => decide(world, nonce, decision, start + minute)));
      for (const nonce of order.slice(4)) await decide(world, nonce, decision, start + minute);
      expect(await openIn(world)).toEqual({});
      for (const nonce of nonces)
        expect(await world.poll(nonce, start + minute)).toMatchObject({
          status: decision === 'confirm' ? 'confirmed' : 'denied',
        });
      const { history } = await world.devices.loadUser(world);
      expect(history.unsuccessfulInARow).toBe(decision === 'confirm' ? 0 : 20);
    },
  );

  test('are withdrawn individually, and make room for others', async () => {
    const world = await worldWith(3);
    const [first = '', second = '', third = ''] = await sendMany(world, 3);
    await Promise.all([world.withdraw(second, start + minute), world.withdraw(second, start + minute)]);
    expect(Object.keys(await openIn(world)).toSorted()).toEqual(['phone', 'phone#3']);
    await world.send({ nonce: 'nonce-of-the-next' }, start + minute);
    await world.withdraw(first, start + 2 * minute);
    await world.withdraw(third, start + 2 * minute);
    const challengeId = challengeIdOf(world.tenantId, 'nonce-of-the-next');
    expect(await openIn(world)).toEqual({ 'phone#2': { challengeId, expiresAt: start + 3 * minute } });
  });

  test('stay within the limit with concurrent requests', async () => {
    const world = await worldWith(2);
    const sent = await Promise.allSettled(
      [1, 2, 3, 4].map(async (index) => await world.send({ nonce: nonceOf(index) }, start)),
    );
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const one of sent.filter(({ status }) => status === 'rejected'))
      expect(one).toMatchObject({ reason: { code: 'confirmation-pending' } });
    expect(Object.keys(await openIn(world)).toSorted()).toEqual(['phone', 'phone#2']);
  });

  test('are all cancelled when the device is removed, each with its event', async () => {
    const world = await worldWith(20);
    await world.addDevice('tablet', start - hour);
    const nonces = await sendMany(world, 20);
    await world.send({ nonce: 'nonce-of-the-tablet', deviceId: 'tablet' }, start + minute);
    await world.remove('phone', start + minute);
    for (const nonce of nonces) {
      expect(await world.poll(nonce, start + minute)).toMatchObject({ reason: 'device_removed' });
      const [, ended] = await world.events(challengeIdOf(world.tenantId, nonce));
      expect(ended?.metadata.type).toBe('PushNotificationCancelledEvent');
    }
    expect(Object.keys(await openIn(world))).toEqual(['tablet']);
  });
});

describe('the list of open challenges', () => {
  test('begins with the next to expire, and marks each as opened once', async () => {
    const world = await worldWith(20);
    const nonces = await sendMany(world, 20);
    const first = await listed(world, start + minute);
    const ids = nonces.map((nonce) => challengeIdOf(world.tenantId, nonce));
    expect(first.map(({ challengeId }) => challengeId)).toEqual(ids.toReversed());
    await listed(world, start + 2 * minute);
    for (const nonce of nonces)
      expect(await world.poll(nonce, start + 2 * minute)).toMatchObject({ openedAt: start + minute });
  });

  test('omits those that were answered, withdrawn or expired', async () => {
    const world = await worldWith(20);
    const nonces = await sendMany(world, 5);
    await decide(world, nonceOf(0), 'deny', start + minute);
    await world.withdraw(nonceOf(1), start + minute);
    const end = start + 4000 + (3600 - 240) * 1000;
    const justBefore = await listed(world, end - 1);
    expect(justBefore).toHaveLength(3);
    expect(justBefore[0]?.expiresInMs).toBe(1);
    const ids = (await listed(world, end)).map(({ challengeId }) => challengeId);
    expect(ids).toEqual([nonces[3], nonces[2]].map((nonce = '') => challengeIdOf(world.tenantId, nonce)));
  });

  test('is empty for a suspended tenant', async () => {
    const world = await worldWith(20);
    await sendMany(world, 3);
    expect(await listed(world, start + minute, true)).toEqual([]);
    expect(await world.poll(nonceOf(0), start + minute)).not.toHaveProperty('openedAt');
  });
});

describe('a captured request for challenges', () => {
  const second = 1000;
  const captured = { issuedAt: start, jwsHash: 'captured' };
  const replay = async (world: PushWorld, now: number) => await listed(world, now, false, captured);

  test('is refused after the device has used it or a later one', async () => {
    const world = await worldWith(1);
    await world.send({ nonce: nonceOf(0), expiresIn: 120 }, start);
    await expect(replay(world, start)).resolves.toHaveLength(1);
    await expect(replay(world, start + second)).rejects.toMatchObject({ code: 'stale-request' });
    for (const at of [second, 2 * second, minute])
      await expect(listed(world, start + at)).resolves.toHaveLength(1);
    await expect(replay(world, start + minute)).rejects.toMatchObject({ code: 'stale-request' });
    const later = { ...captured, jwsHash: 'of the device, before its last one' };
    await expect(listed(world, start + minute, false, later)).rejects.toMatchObject({
      code: 'stale-request',
    });
  });

  test('is refused when several are open, if it was used when one was new', async () => {
    const world = await worldWith(3);
    for (const nonce of [nonceOf(0), nonceOf(1)]) await world.send({ nonce, expiresIn: 600 }, start);
    await expect(replay(world, start)).resolves.toHaveLength(2);
    await expect(replay(world, start + second)).rejects.toMatchObject({ code: 'stale-request' });
    await world.send({ nonce: nonceOf(2), expiresIn: 600 }, start + 10 * second);
    await expect(listed(world, start + 11 * second)).resolves.toHaveLength(3);
    const beforeLast = { issuedAt: start + 10 * second, jwsHash: 'before the last' };
    await expect(listed(world, start + 12 * second, false, beforeLast)).rejects.toMatchObject({
      code: 'stale-request',
    });
  });

  test('is refused when several are open, also if none was new to it', async () => {
    const world = await worldWith(3);
    for (const nonce of [nonceOf(0), nonceOf(1)]) await world.send({ nonce, expiresIn: 600 }, start);
    await expect(listed(world, start)).resolves.toHaveLength(2);
    const later = { issuedAt: start + second, jwsHash: 'captured' };
    await expect(listed(world, start + second, false, later)).resolves.toHaveLength(2);
    await expect(listed(world, start + 2 * second, false, later)).rejects.toMatchObject({
      code: 'stale-request',
    });
  });

  test('is distinguished from a request of the same second and from a repeated write of the same call', async () => {
    const world = await worldWith(1);
    await world.send({ nonce: nonceOf(0), expiresIn: 120 }, start);
    for (const jwsHash of ['one', 'other'])
      await expect(listed(world, start, false, { jwsHash })).resolves.toHaveLength(1);
    const same = { ...captured, issuedAt: start + second, call: 'call' };
    for (const at of [second, 2 * second])
      await expect(listed(world, start + at, false, same)).resolves.toHaveLength(1);
  });
});
