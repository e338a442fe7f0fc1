import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
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
