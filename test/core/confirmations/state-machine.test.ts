import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { statusAt, transitions, type Confirmation } from '../../../core/confirmations/confirmation.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const nonces = ['nonce-number-one', 'nonce-number-two', 'nonce-number-six'];
const deviceIds = ['phone', 'tablet'];
const eventOfStatus = Object.fromEntries(
  Object.values(transitions).map(({ to, event }) => [to as string, event as string]),
);

/** Times lie around the expiry, and each call has a clock of its own that may be a little off. */
const offset = fc.integer({ min: 0, max: 70_000 });
const nonce = fc.constantFrom(...nonces);
const deviceId = fc.constantFrom(...deviceIds);

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), nonce, deviceId, at: offset }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      nonce,
      deviceId,
      at: offset,
      decision: fc.constantFrom('confirm' as const, 'deny' as const),
      otherMessage: fc.boolean(),
      jws: fc.constantFrom('jws-a', 'jws-b', 'jws-c', 'jws-d'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('poll' as const), nonce, at: offset }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), nonce, at: offset }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), deviceId, at: offset }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Operations of one batch run at once; batches follow one another, as time does. */
const batches = fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });

/** The pushes are counted, so none may be a notice about devices. */
const noLimits: TenantSettings = {
  ...defaultSettings,
  furtherDevices: 'free',
  pushLimits: { ...defaultSettings.pushLimits, perTenMinutes: 1000, perDay: 1000, pauseAfter: 100 },
};

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

async function run(world: PushWorld, operation: Operation, base: number): Promise<Confirmation | undefined> {
  const now = start + base + operation.at;
  switch (operation.kind) {
    case 'send':
      return await world.send({ nonce: operation.nonce, deviceId: operation.deviceId, expiresIn: 60 }, now);
    case 'poll':
      return await world.poll(operation.nonce, now);
    case 'withdraw':
      await world.withdraw(operation.nonce, now);
      return undefined;
    case 'remove':
      await world.remove(operation.deviceId, now);
      return undefined;
    case 'answer': {
      const challengeId = challengeIdOf(world.tenantId, operation.nonce);
      const messageHash = messageHashOf(operation.otherMessage ? 'Pay more?' : 'Pay?');
      const claims = { challengeId, messageHash, decision: operation.decision };
      await world.answer(operation.deviceId, claims, `${operation.jws}-${operation.nonce}`, now);
      return undefined;
    }
  }
}

/** Refusals are answers; anything else is a fault, which these operations never have. */
async function settled(world: PushWorld, operation: Operation, base: number) {
  try {
    const seen = await run(world, operation, base);
    return seen && { nonce: seen.nonce, status: statusAt(seen, start + base + operation.at) };
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'temporarily-unavailable') return undefined;
    throw error;
  }
}

describe('a confirmation, whatever happens at once', () => {
  test('is decided once, never leaves what anyone saw, and has exactly its events', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (run) => {
        const world = new PushWorld(client, noLimits);
        for (const id of deviceIds) await world.addDevice(id, start - 1000);

        const final = new Map<string, string>();
        let base = 0;
        for (const batch of run) {
          const seen = await Promise.all(
            batch.map(async (operation) => await settled(world, operation, base)),
          );
          const sights = seen.filter((sight) => sight !== undefined);
          for (const { nonce, status } of sights) expect(status).toBe(final.get(nonce) ?? status);
          for (const { nonce, status } of sights.filter((sight) => sight.status !== 'pending')) {
            expect(status).toBe(final.get(nonce) ?? status);
            final.set(nonce, status);
          }
          base += 20_000;
        }

        let sent = 0;
        const open: string[] = [];
        for (const nonce of nonces) {
          const challengeId = challengeIdOf(world.tenantId, nonce);
          const stored = await world.confirmations.find(challengeId, start);
          const types = (await world.events(challengeId)).map(({ metadata }) => metadata.type);
          if (!stored) {
            expect(types).toEqual([]);
            continue;
          }
          sent += 1;
          if (final.has(nonce)) expect(stored.status).toBe(final.get(nonce));
          const end = stored.status === 'pending' ? [] : [eventOfStatus[stored.status]];
          expect(types).toEqual(['PushNotificationSentEvent', ...end]);
          expect(stored.evidence !== undefined).toBe(['confirmed', 'denied'].includes(stored.status));
          if (stored.status === 'pending') open.push(stored.deviceId);
        }
        expect(world.sns.published).toBe(sent);
        const { history } = await world.devices.loadUser(world);
        for (const device of Object.keys(history.open)) expect(deviceIds).toContain(device);
      }),
      { numRuns: 120, interruptAfterTimeLimit: 80_000 },
    );
  }, 120_000);

  test('two identical requests at once make one confirmation and one push', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await world.send({ nonce: 'nonce-used-at-once' }, start)),
    );
    expect(new Set(answers.map(({ attemptId }) => attemptId)).size).toBe(1);
    expect(world.sns.published).toBe(1);
    expect(await world.events(challengeIdOf(world.tenantId, 'nonce-used-at-once'))).toHaveLength(1);
  });

  test('one open confirmation a device: of two different requests at once one is refused', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    const answers = await Promise.allSettled(nonces.map(async (nonce) => await world.send({ nonce }, start)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status === 'rejected')) {
      expect(answer.reason).toMatchObject({ code: 'confirmation-pending' });
    }
  });
});

describe('an answer that meets the expiry', () => {
  const nonce = 'nonce-meets-expiry';
  const confirm = (world: PushWorld, jws: string, now: number) =>
    world.answer(
      'phone',
      {
        challengeId: challengeIdOf(world.tenantId, nonce),
        messageHash: messageHashOf('Pay?'),
        decision: 'confirm',
      },
      jws,
      now,
    );

  test('counts in the last millisecond, and is too late in the next', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    await expect(confirm(world, 'late', start + 30_000)).rejects.toMatchObject({ code: 'challenge-expired' });

    const other = new PushWorld(client);
    await other.addDevice('phone', start);
    await other.send({ nonce, expiresIn: 30 }, start);
    await expect(confirm(other, 'in-time', start + 29_999)).resolves.toBe('confirmed');
    expect((await other.poll(nonce, start + 60_000))?.status).toBe('confirmed');
  });

  test('is refused once a website has seen the expiry, even when it was checked in time', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    expect((await world.poll(nonce, start + 30_000))?.status).toBe('expired');
    await expect(confirm(world, 'in-time', start + 29_990)).rejects.toMatchObject({
      code: 'challenge-expired',
    });
    const events = await world.events(challengeIdOf(world.tenantId, nonce));
    expect(events.map(({ metadata }) => metadata.type)).toEqual([
      'PushNotificationSentEvent',
      'PushNotificationExpiredEvent',
    ]);
    expect(events[1]?.metadata.occurredTime).toBe(new Date(start + 30_000).toISOString());
  });

  test('is refused once the next push has relied on the expiry, and leaves that push alone', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    const next = await world.send({ nonce: 'nonce-of-the-next', expiresIn: 30 }, start + 30_100);
    await expect(confirm(world, 'in-time', start + 29_990)).rejects.toMatchObject({
      code: 'challenge-expired',
    });
    const { history } = await world.devices.loadUser(world);
    expect(history.open).toMatchObject({ phone: { challengeId: next.challengeId } });
    expect(history.unsuccessfulInARow).toBe(1);
  });

  test('is recorded as expired once, however many look', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    const polls = [1, 2, 3, 4].map(async () => (await world.poll(nonce, start + 31_000))?.status);
    expect(await Promise.all(polls)).toEqual(['expired', 'expired', 'expired', 'expired']);
    expect(await world.events(challengeIdOf(world.tenantId, nonce))).toHaveLength(2);
  });
});

describe('a nonce', () => {
  const day = 24 * 60 * 60_000;

  test('is taken for 24 hours after the end, and free when the item may be swept', async () => {
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

  test('answers the same confirmation whatever its state, and before the limits are asked', async () => {
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

describe('a withdrawal', () => {
  const nonce = 'nonce-to-withdraw';
  const answer = (world: PushWorld, deviceId: string, asked: string, now: number) => {
    const challengeId = challengeIdOf(world.tenantId, asked);
    const claims = { challengeId, messageHash: messageHashOf('Pay?'), decision: 'confirm' as const };
    return world.answer(deviceId, claims, `jws-of-${asked}`, now);
  };

  test('is recorded once, with its reason, in the version of the payload that allows it', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce }, start);
    await Promise.all([1, 2, 3].map(async (at) => await world.withdraw(nonce, start + at * 1000)));
    const [sent, ended, ...others] = await world.events(challengeIdOf(world.tenantId, nonce));
    expect(others).toEqual([]);
    expect(sent?.metadata).toMatchObject({ type: 'PushNotificationSentEvent', payloadVersion: '1.0' });
    expect(ended).toMatchObject({
      metadata: { type: 'PushNotificationCancelledEvent', payloadVersion: '1.1' },
      payload: { reason: 'withdrawn', deviceId: 'phone' },
    });
  });

  test('counts as a push, and neither as a success nor as none', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    await world.withdraw(nonce, start + 1000);
    const { history } = await world.devices.loadUser(world);
    expect(history).toEqual({ open: {}, sentAt: [start], unsuccessfulInARow: 0 });
    await world.send({ nonce: 'nonce-of-the-next', expiresIn: 30 }, start + 2000);
    expect((await world.devices.loadUser(world)).history.unsuccessfulInARow).toBe(0);
  });

  test('meets the answer: exactly one decides, and whoever was slower is told', async () => {
    for (let round = 0; round < 40; round += 1) {
      const world = new PushWorld(client);
      await world.addDevice('phone', start);
      await world.send({ nonce }, start);
      const [answered, withdrawn] = await Promise.allSettled([
        answer(world, 'phone', nonce, start + 1000),
        world.withdraw(nonce, start + 1000),
      ]);
      const won = answered.status === 'fulfilled' ? 'confirmed' : 'cancelled';
      const loser = won === 'confirmed' ? withdrawn : answered;
      expect(loser).toMatchObject({ status: 'rejected', reason: { code: 'already-decided' } });
      expect(await world.poll(nonce, start + 2000)).toMatchObject({ status: won });
      expect(await world.events(challengeIdOf(world.tenantId, nonce))).toHaveLength(2);
      expect((await world.devices.loadUser(world)).history.open).toEqual({});
    }
  }, 60_000);

  test('of what is over is refused, and the expiry recorded', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    await expect(world.withdraw(nonce, start + 30_000)).rejects.toMatchObject({ code: 'already-decided' });
    const events = await world.events(challengeIdOf(world.tenantId, nonce));
    expect(events.at(-1)?.metadata.type).toBe('PushNotificationExpiredEvent');
    await expect(world.withdraw(nonce, start + 29_999)).rejects.toMatchObject({ code: 'already-decided' });
  });

  test('succeeds in the last millisecond, though another clock has already cleared the entry', async () => {
    const world = new PushWorld(client);
    for (const device of ['phone', 'tablet']) await world.addDevice(device, start);
    await world.send({ nonce, deviceId: 'phone', expiresIn: 30 }, start);
    await world.send({ nonce: 'nonce-of-the-tablet', deviceId: 'tablet' }, start);
    await answer(world, 'tablet', 'nonce-of-the-tablet', start + 30_000);
    await world.withdraw(nonce, start + 29_999);
    expect(await world.poll(nonce, start + 31_000)).toMatchObject({ status: 'cancelled' });
  });

  test('leaves another confirmation that is open on the device since', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce }, start);
    await world.withdraw(nonce, start + 1000);
    const next = await world.send({ nonce: 'nonce-of-the-next' }, start + 2000);
    await world.withdraw(nonce, start + 3000);
    const { history } = await world.devices.loadUser(world);
    expect(history.open).toMatchObject({ phone: { challengeId: next.challengeId } });
  });

  test('of a failed one, and of none, is refused', async () => {
    const world = new PushWorld(client, { ...defaultSettings, numberMatching: 'type' });
    await world.addDevice('phone', start);
    const { matchNumbers } = await world.send({ nonce }, start);
    const claims = {
      challengeId: challengeIdOf(world.tenantId, nonce),
      messageHash: messageHashOf('Pay?'),
      decision: 'confirm' as const,
      number: matchNumbers?.code === '000000' ? '000001' : '000000',
    };
    await expect(world.answer('phone', claims, 'jws', start)).rejects.toMatchObject({ code: 'wrong-number' });
    await expect(world.withdraw(nonce, start)).rejects.toMatchObject({ code: 'already-decided' });
    await expect(world.withdraw('nonce-of-nothing', start)).rejects.toMatchObject({
      code: 'confirmation-not-found',
    });
  });
});

describe('removing a device', () => {
  test('cancels what is open on it, with both events in one transaction', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce: 'nonce-of-removed' }, start);
    await world.remove('phone', start + 1000);
    expect(await world.poll('nonce-of-removed', start + 2000)).toMatchObject({
      status: 'cancelled',
      reason: 'device_removed',
      decidedAt: start + 1000,
    });
    expect((await world.events('phone')).map(({ metadata, payload }) => [metadata.type, payload])).toEqual([
      ['UserDeviceDeregisteredEvent', { userId: 'user', deviceId: 'phone', clientId: 'website' }],
    ]);
    const ended = await world.events(challengeIdOf(world.tenantId, 'nonce-of-removed'));
    expect(ended.at(-1)?.payload).toMatchObject({ reason: 'device_removed' });
  });
});
