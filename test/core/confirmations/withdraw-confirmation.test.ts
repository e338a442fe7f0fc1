import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const hour = 3_600_000;
const generous = { pushLimits: { ...defaultSettings.pushLimits, perTenMinutes: 100 } };

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

describe('a withdrawal', () => {
  const nonce = 'nonce-to-withdraw';
  const answer = (world: PushWorld, deviceId: string, asked: string, now: number) => {
    const challengeId = challengeIdOf(world.tenantId, asked);
    const claims = { challengeId, messageHash: messageHashOf('Pay?'), decision: 'confirm' as const };
    return world.answer(deviceId, claims, `jws-of-${asked}`, now);
  };

  test('is recorded once, with its reason, in the payload version that allows it', async () => {
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

  test('counts as a withdrawal, not as a push, and neither as successful nor as unsuccessful', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    await world.withdraw(nonce, start + 1000);
    const { history } = await world.devices.loadUser(world);
    expect(history).toEqual({
      asked: expect.anything(),
      open: {},
      sentAt: [],
      withdrawnAt: [start + 1000],
      unsuccessfulInARow: 0,
    });
    await world.send({ nonce: 'nonce-of-the-next', expiresIn: 30 }, start + 2000);
    expect((await world.devices.loadUser(world)).history.unsuccessfulInARow).toBe(0);
  });

  test('counts once, however often it is repeated', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce }, start);
    for (const at of [1, 1, 2, 3])
      await Promise.all([1, 2].map(async () => await world.withdraw(nonce, start + at * 1000)));
    expect((await world.devices.loadUser(world)).history.withdrawnAt).toEqual([start + 1000]);
  });

  test('is possible ten times in an hour, then the user cannot be asked until the first is an hour old', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    for (let question = 0; question < 10; question += 1) {
      const at = start + question * 1000;
      await world.send({ nonce: `nonce-of-question-${question}` }, at);
      await world.withdraw(`nonce-of-question-${question}`, at + 500);
    }
    const ask = async (at: number) => await world.ask({ nonce: 'nonce-of-the-next' }, at);
    await expect(ask(start + 10_000)).rejects.toMatchObject({
      code: 'too-many-notifications',
      message: expect.stringContaining('withdrawn'),
      options: { retryAfter: 3591 },
    });
    await expect(ask(start + hour + 499)).rejects.toMatchObject({ options: { retryAfter: 1 } });
    await expect(ask(start + hour + 500)).resolves.toMatchObject({ repeated: false });
    const { history } = await world.devices.loadUser(world);
    expect({ sent: history.sentAt, withdrawn: history.withdrawnAt.length }).toEqual({
      sent: [start + hour + 500],
      withdrawn: 9,
    });
  });

  test('succeeds also beyond the limit', async () => {
    const world = new PushWorld(client, { ...defaultSettings, ...generous, openPerDevice: 12 });
    await world.addDevice('phone', start);
    const nonces = [...Array(12).keys()].map((question) => `nonce-of-question-${question}`);
    for (const [index, asked] of nonces.entries()) await world.send({ nonce: asked }, start + index);
    for (const asked of nonces) await world.withdraw(asked, start + 1000);
    expect((await world.devices.loadUser(world)).history).toMatchObject({ open: {}, sentAt: [] });
    await expect(world.ask({ nonce }, start + 2000)).rejects.toMatchObject({
      options: { retryAfter: 3599 },
    });
  });

  test('excludes a concurrent answer: exactly one decides', async () => {
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
  });

  test('is rejected after the expiry, which is recorded', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce, expiresIn: 30 }, start);
    await expect(world.withdraw(nonce, start + 30_000)).rejects.toMatchObject({ code: 'already-decided' });
    const events = await world.events(challengeIdOf(world.tenantId, nonce));
    expect(events.at(-1)?.metadata.type).toBe('PushNotificationExpiredEvent');
    await expect(world.withdraw(nonce, start + 29_999)).rejects.toMatchObject({ code: 'already-decided' });
  });

  test('succeeds in the last millisecond, although a Lambda with another clock already removed the entry', async () => {
    const world = new PushWorld(client);
    for (const device of ['phone', 'tablet']) await world.addDevice(device, start);
    await world.send({ nonce, deviceId: 'phone', expiresIn: 30 }, start);
    await world.send({ nonce: 'nonce-of-the-tablet', deviceId: 'tablet' }, start);
    await answer(world, 'tablet', 'nonce-of-the-tablet', start + 30_000);
    await world.withdraw(nonce, start + 29_999);
    expect(await world.poll(nonce, start + 31_000)).toMatchObject({ status: 'cancelled' });
  });

  test('succeeds in the last millisecond, although a Lambda with another clock already sent the next one', async () => {
    const world = new PushWorld(client);
    for (const device of ['phone', 'tablet']) await world.addDevice(device, start);
    await world.send({ nonce, deviceId: 'phone', expiresIn: 30 }, start);
    await world.send({ nonce: 'nonce-of-the-tablet', deviceId: 'tablet' }, start);
    await answer(world, 'tablet', 'nonce-of-the-tablet', start + 30_000);
    const next = await world.send({ nonce: 'nonce-of-the-next', deviceId: 'phone' }, start + 30_000);
    await world.withdraw(nonce, start + 29_999);
    expect(await world.poll(nonce, start + 31_000)).toMatchObject({ status: 'cancelled' });
    const { history } = await world.devices.loadUser(world);
    expect(history.open).toMatchObject({ phone: { challengeId: next.challengeId } });
    expect(history.withdrawnAt).toEqual([start + 29_999]);
  });

  test('does not affect a later confirmation on the device', async () => {
    const world = new PushWorld(client);
    await world.addDevice('phone', start);
    await world.send({ nonce }, start);
    await world.withdraw(nonce, start + 1000);
    const next = await world.send({ nonce: 'nonce-of-the-next' }, start + 2000);
    await world.withdraw(nonce, start + 3000);
    const { history } = await world.devices.loadUser(world);
    expect(history.open).toMatchObject({ phone: { challengeId: next.challengeId } });
  });

  test('is rejected for a failed or unknown confirmation', async () => {
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
