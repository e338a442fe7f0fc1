import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { statusAt, transitions, type Confirmation } from '../../../core/confirmations/confirmation.ts';
import { thumbprintOf } from '../../../core/devices/device.ts';
import { fromStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import { openOn } from '../../../core/devices/push-history.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';
import { propertyRuns } from '../../support/property-runs.ts';

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

describe('a confirmation under concurrent operations', () => {
  test('is decided once, never changes a status that anyone saw, and has exactly its events', async () => {
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 3 }), async (run, openPerDevice) => {
        const world = new PushWorld(client, { ...noLimits, openPerDevice });
        for (const id of deviceIds) await world.addDevice(id, start - 1000);

        const final = new Map<string, string>();
        let base = 0;
        for (const batch of run) {
          const seen = await Promise.all(
            batch.map(async (operation) => await settled(world, operation, base)),
          );
          const sights = seen.filter((sight) => sight !== undefined);
          for (const { nonce = '', status } of sights) expect(status).toBe(final.get(nonce) ?? status);
          for (const { nonce = '', status } of sights.filter((sight) => sight.status !== 'pending')) {
            expect(status).toBe(final.get(nonce) ?? status);
            final.set(nonce, status);
          }
          base += 20_000;
        }

        let sent = 0;
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
        }
        expect(world.sns.published).toBe(sent);
        const { history } = await world.devices.loadUser(world);
        const entries = deviceIds.map((device) => openOn(history, device));
        for (const entry of entries) expect(entry.length).toBeLessThanOrEqual(openPerDevice);
        expect(entries.flat()).toHaveLength(Object.keys(history.open).length);
      }),
      { numRuns: propertyRuns(120), plugins: [fc.interruptAfterTimeLimit(80_000)] },
    );
  });

  test('has one push after two concurrent identical requests', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await world.send({ nonce: 'nonce-used-at-once' }, start)),
    );
    expect(new Set(answers.map(({ attemptId }) => attemptId)).size).toBe(1);
    expect(world.sns.published).toBe(1);
    expect(await world.events(challengeIdOf(world.tenantId, 'nonce-used-at-once'))).toHaveLength(1);
  });

  test('is made by one of two concurrent different requests for a device', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    const answers = await Promise.allSettled(nonces.map(async (nonce) => await world.send({ nonce }, start)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers.filter((one) => one.status === 'rejected')) {
      expect(answer.reason).toMatchObject({ code: 'confirmation-pending' });
    }
  });
});

describe('the event of an answer', () => {
  const answered = async (settings: TenantSettings, later: TenantSettings = settings) => {
    const world = new PushWorld(client, settings);
    await world.addDevice('phone', start);
    const { challengeId, messageHash } = await world.send({ nonce: 'nonce-with-event' }, start);
    const after = new PushWorld(client, later, world.tenantId);
    await after.answer('phone', { challengeId, messageHash, decision: 'confirm' }, 'jws', start + 1000);
    const confirmation = await after.poll('nonce-with-event', start + 2000);
    return { confirmation, payload: (await after.events(challengeId)).at(-1)?.payload ?? {} };
  };

  test('has the proof of the answer if the tenant wanted it when the website asked', async () => {
    const { confirmation, payload } = await answered(
      { ...defaultSettings, evidenceInEvents: 'on' },
      defaultSettings,
    );
    expect(confirmation?.receipt).toBeDefined();
    const { evidence, context, deviceKey } = confirmation ?? {};
    const receipt = fromStoredJws(confirmation?.receipt ?? []);
    expect(payload).toMatchObject({ evidence, context, deviceKey, receipt, userVerified: false });
  });

  test('has no evidence otherwise', async () => {
    const { payload } = await answered(defaultSettings, { ...defaultSettings, evidenceInEvents: 'on' });
    expect(Object.keys(payload).toSorted()).toEqual(['challengeId', 'deviceId', 'messageHash', 'userId']);
  });
});

describe('removing a device', () => {
  test('cancels its open confirmation, with both events in one transaction', async () => {
    const world = new PushWorld(client);
    const { key } = await world.addDevice('phone', start);
    await world.send({ nonce: 'nonce-of-removed' }, start);
    await world.remove('phone', start + 1000);
    expect(await world.poll('nonce-of-removed', start + 2000)).toMatchObject({
      status: 'cancelled',
      reason: 'device_removed',
      decidedAt: start + 1000,
    });
    expect((await world.events('phone')).map(({ metadata, payload }) => [metadata.type, payload])).toEqual([
      [
        'UserDeviceDeregisteredEvent',
        { userId: 'user', deviceId: 'phone', clientId: 'website', jkt: thumbprintOf(key) },
      ],
    ]);
    const ended = await world.events(challengeIdOf(world.tenantId, 'nonce-of-removed'));
    expect(ended.at(-1)?.payload).toMatchObject({ reason: 'device_removed' });
  });
});
