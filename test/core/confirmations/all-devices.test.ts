import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { confirmationView } from '../../../core/confirmations/confirmation.ts';
import { listChallenges } from '../../../core/confirmations/list-challenges.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const second = 1000;
const hour = 3600 * second;
const nonce = 'nonce-of-all-devices';

let client: DynamoDBDocumentClient;
let world: PushWorld;
beforeAll(async () => {
  client = await PushWorld.database();
});
beforeEach(async () => {
  world = new PushWorld(client);
  for (const name of ['phone', 'tablet']) await world.addDevice(name, start - hour);
});

const askAll = async (now = start, changes: object = {}) =>
  await world.ask({ nonce, devices: 'all', ...changes }, now);

const answer = async (device: string, decision: 'confirm' | 'deny', now: number) => {
  const claims = { challengeId: challengeIdOf(world.tenantId, nonce), messageHash: messageHashOf('Pay?') };
  return await world.answer(device, { ...claims, decision }, `${device}-${decision}`, now);
};

const history = async () => (await world.devices.loadUser(world)).history;

const list = async (deviceId: string, now: number, issuedAt = now) => {
  const load = async () => {
    const { devices, ...record } = await world.devices.loadUser(world);
    const device = devices.find((one) => one.deviceId === deviceId);
    if (!device) throw new Error('The device is gone');
    return { ...record, device, isSuspended: false };
  };
  const { challenges } = await listChallenges(world, load, {
    fetch: { issuedAt, jwsHash: randomUUID(), call: randomUUID() },
    now,
  });
  return challenges;
};

const refusedWith = (code: string) => expect.objectContaining({ code }) as unknown;
const recorded = async (): Promise<unknown[]> => {
  const events = await world.events(challengeIdOf(world.tenantId, nonce));
  return events.map(({ metadata: { type }, payload: { deviceId, deviceIds = deviceId } }) => [
    type,
    deviceIds,
  ]);
};

describe('a question to all devices', () => {
  test('names all of them from the start, and the one that answered in the end', async () => {
    const { confirmation } = await askAll();
    expect(world.sns.published).toBe(2);
    expect(confirmationView(confirmation, start)).toMatchObject({ deviceIds: ['phone', 'tablet'] });
    expect(confirmationView(confirmation, start)).not.toHaveProperty('deviceId');
    expect(await answer('tablet', 'confirm', start + second)).toBe('confirmed');
    const ended = await world.poll(nonce, start + 2 * second);
    expect(ended && confirmationView(ended, start)).toMatchObject({
      deviceIds: ['phone', 'tablet'],
      deviceId: 'tablet',
      status: 'confirmed',
    });
    expect(await recorded()).toEqual([
      ['PushNotificationSentEvent', ['phone', 'tablet']],
      ['PushNotificationConfirmedEvent', 'tablet'],
    ]);
  });

  test('is decided by the first answer, and its notification is replaced on the others', async () => {
    await askAll();
    await answer('phone', 'deny', start + second);
    expect(world.sns.published).toBe(3);
    await expect(answer('tablet', 'confirm', start + 2 * second)).rejects.toEqual(
      refusedWith('already-decided'),
    );
    expect(await world.poll(nonce, start + 3 * second)).toMatchObject({
      status: 'denied',
      deviceId: 'phone',
    });
  });

  test('has one end when both answer at the same time', async () => {
    await askAll();
    const both = await Promise.allSettled([
      answer('phone', 'confirm', start + second),
      answer('tablet', 'deny', start + second),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await recorded()).toHaveLength(2);
  });

  test('is shown to each device, whose clocks are independent', async () => {
    await askAll();
    expect(await list('phone', start + second, start + second)).toHaveLength(1);
    expect(await list('tablet', start + second, start - second)).toHaveLength(1);
    await expect(list('phone', start + second, start)).rejects.toEqual(refusedWith('stale-request'));
  });

  test('counts once in the limits when it expires', async () => {
    await askAll();
    await answer('phone', 'deny', start + second);
    await askAll(start + 2 * second, { nonce: `${nonce}-2` });
    await askAll(start + hour, { nonce: `${nonce}-3` });
    expect(await history()).toMatchObject({ unsuccessfulInARow: 2, sentAt: { length: 3 } });
  });

  test('goes only to devices with a free place, and is refused if there is none', async () => {
    await world.ask({ nonce: 'nonce-of-the-phone-alone', deviceId: 'phone' }, start);
    expect((await askAll(start + second)).confirmation.asked).toEqual(['tablet']);
    await expect(askAll(start + 2 * second, { nonce: `${nonce}-2` })).rejects.toEqual(
      refusedWith('confirmation-pending'),
    );
  });

  test('is repeated by the same request, whatever devices came or went', async () => {
    const { confirmation } = await askAll();
    await world.addDevice('watch', start + second);
    const again = await askAll(start + 2 * second);
    expect(again).toMatchObject({ repeated: true, confirmation: { asked: confirmation.asked } });
    await expect(world.ask({ nonce, deviceId: 'phone' }, start + 3 * second)).rejects.toEqual(
      refusedWith('nonce-already-used'),
    );
  });

  test('is not the question that its nonce asked of the only device', async () => {
    await world.remove('tablet', start);
    await world.ask({ nonce, deviceId: 'phone' }, start + second);
    await expect(askAll(start + 2 * second)).rejects.toEqual(refusedWith('nonce-already-used'));
  });

  test('stays open while one of its devices is left, and is cancelled with the last', async () => {
    await askAll();
    await world.remove('phone', start + second);
    expect(await world.poll(nonce, start + 2 * second)).toMatchObject({ status: 'pending' });
    await world.remove('tablet', start + 3 * second);
    expect(await world.poll(nonce, start + 4 * second)).toMatchObject({
      status: 'cancelled',
      reason: 'device_removed',
    });
    expect(await history()).toMatchObject({ open: {} });
  });

  test('closes on every device when it is withdrawn', async () => {
    await askAll();
    await world.withdraw(nonce, start + second);
    expect(await history()).toMatchObject({ open: {}, unsuccessfulInARow: 0 });
    expect((await askAll(start + 2 * second, { nonce: `${nonce}-2` })).repeated).toBe(false);
  });
});
