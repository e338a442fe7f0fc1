import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

describe('an answer at the time of the expiry', () => {
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

  test('is accepted in the last millisecond, and too late in the next one', async () => {
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

  test('is rejected after a website has seen the expiry, even if it was checked in time', async () => {
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

  test('is rejected after the next push has relied on the expiry, and does not affect that push', async () => {
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

  test('leads to one recorded expiry, however many requests see it', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    const polls = [1, 2, 3, 4].map(async () => (await world.poll(nonce, start + 31_000))?.status);
    expect(await Promise.all(polls)).toEqual(['expired', 'expired', 'expired', 'expired']);
    expect(await world.events(challengeIdOf(world.tenantId, nonce))).toHaveLength(2);
  });
});
