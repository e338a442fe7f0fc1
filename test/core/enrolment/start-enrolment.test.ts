import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EnrolmentStore } from '../../../core/enrolment/enrolment-store.ts';
import { enrolmentIdOf, newCode } from '../../../core/enrolment/enrolment.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { defaultSettings, type TenantSettings } from '../../../core/tenants/tenant.ts';
import { startEnrolment } from '../../../core/enrolment/start-enrolment.ts';
import { PushWorld } from '../../support/push-world.ts';

const start = Date.UTC(2026, 0, 1, 12);
const minutes = 60_000;
const nonce = 'nonce-of-the-confirmation';
const settings: TenantSettings = { ...defaultSettings, furtherDevices: 'confirm' };

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await PushWorld.database();
});

/** A user with a phone, who is asked at `start` whether a device may be added. */
async function asked() {
  const world = new PushWorld(client, settings);
  await world.addDevice('phone', start - minutes);
  await world.send({ nonce, purpose: 'add-device', expiresIn: 60, message: 'Add?' }, start);
  const enrolments = new EnrolmentStore(client, 'enrolments');
  const deps = { enrolments, devices: world.devices, confirmations: world.confirmations };
  const caller = world.caller;
  const make = async (now: number, code = newCode()) => {
    const start = { userId: world.userId, confirmation: nonce };
    const { enrolment } = await startEnrolment(deps, start, { caller, now }, code);
    expect(await enrolments.find(enrolmentIdOf(code), now)).toEqual(enrolment);
    return enrolment;
  };
  const confirm = async (now: number) => {
    const challengeId = challengeIdOf(world.tenantId, nonce);
    const claims = { challengeId, messageHash: messageHashOf('Add?'), decision: 'confirm' } as const;
    await world.answer('phone', claims, 'jws', now);
    return challengeId;
  };
  return { world, make, confirm };
}

const required = { code: 'confirmation-required' };

describe('a confirmation for a further device', () => {
  test('authorizes it until 10 minutes after the answer', async () => {
    const { make, confirm } = await asked();
    const challengeId = await confirm(start + 1_000);
    await expect(make(start + 1_001 + 10 * minutes)).rejects.toMatchObject(required);
    await expect(make(start + 1_000 + 10 * minutes)).resolves.toMatchObject({
      expiresAt: start + 1_000 + 20 * minutes,
      authorization: { by: 'confirmation', challengeId, deviceId: 'phone' },
    });
  });

  test('authorizes it only if it was answered in time', async () => {
    const { world, make } = await asked();
    await expect(make(start + 1_000)).rejects.toMatchObject(required);
    await expect(make(start + 61_000)).rejects.toMatchObject(required);
    await world.poll(nonce, start + 61_000);
    await expect(make(start + 62_000)).rejects.toMatchObject(required);
  });

  test('authorizes only one of many concurrent requests', async () => {
    const { make, confirm } = await asked();
    await confirm(start + 1_000);
    const made = await Promise.allSettled(Array.from({ length: 5 }, async () => await make(start + 2_000)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(required);
  });

  test('authorizes a request again that is retried because its response was lost', async () => {
    const { make, confirm } = await asked();
    await confirm(start + 1_000);
    const code = newCode();
    const first = await make(start + 2_000, code);
    expect(await make(start + 2_000, code)).toEqual(first);
    await expect(make(start + 2_000)).rejects.toMatchObject(required);
  });
});
