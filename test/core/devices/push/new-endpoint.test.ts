import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plainContext } from '../../../support/plain-context.ts';
import { newKeyPair } from '../../../../client/device/simulated-device.ts';
import { signCompact } from '../../../../client/device/jws.ts';
import { ConfirmationStore } from '../../../../core/confirmations/confirmation-store.ts';
import { FurtherDevicesPolicyStore } from '../../../../core/tenants/further-devices-policy-store.ts';
import { transact } from '../../../../core/aws/dynamodb-client.ts';
import { EnrolmentStore } from '../../../../core/enrolment/enrolment-store.ts';
import { Outbox } from '../../../../core/events/outbox-writer.ts';
import { suspensionWrites } from '../../../../core/devices/suspension.ts';
import { PushClient } from '../../../../core/devices/push/push-client.ts';
import type { Confirmation } from '../../../../core/confirmations/confirmation.ts';
import { thumbprintOf, type NativeDevice } from '../../../../core/devices/device.ts';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import { enrolmentIdOf, newCode } from '../../../../core/enrolment/enrolment.ts';
import type { ApiEvent } from '../../../../core/http/api-event.ts';
import { deliverPush } from '../../../../core/confirmations/deliver-push.ts';
import { releaseEndpoints } from '../../../../core/devices/push/release-endpoint.ts';
import { enrolDevice } from '../../../../core/enrolment/enrol-device.ts';
import { createHandler } from '../../../../lambdas/refresh-push-token/handler.ts';
import { EndpointWorld } from '../../../support/endpoint-world.ts';
import { relyingParty } from '../../../support/relying-party.ts';
import { nativeOnly } from '../../../support/push-channels.ts';
import { receiptDeps } from '../../../support/receipts.ts';

let world: EndpointWorld;

beforeAll(async () => {
  world = await EndpointWorld.start();
});
afterAll(async () => await world.close());

const newToken = () => `token-${randomUUID()}`;
const run = async () => await releaseEndpoints(world, Date.now() + 60_000);

/** Something else happens after the endpoint was made, and before a device uses it. */
class InterruptedPushClient extends PushClient {
  readonly #meanwhile: () => Promise<unknown>;

  constructor(meanwhile: () => Promise<unknown>) {
    super(world.sns.client, world.sns.applications);
    this.#meanwhile = meanwhile;
  }

  override async enableEndpoint(...asked: Parameters<PushClient['enableEndpoint']>): Promise<string> {
    const endpointArn = await super.enableEndpoint(...asked);
    await this.#meanwhile();
    return endpointArn;
  }
}

describe('a device with a new push token', () => {
  const baseUrl = 'https://api.example';

  async function withKey() {
    const { privateKey, publicKey } = newKeyPair();
    const device = await world.enrol(newToken(), publicKey.export({ format: 'jwk' }) as DeviceKey);
    const { deviceId, tenantId, userId } = device;
    const refresh = async (pushToken: string, push: PushClient = world.sns.push) => {
      const times = { iat: Math.floor(Date.now() / 1000), jti: randomUUID(), jkt: thumbprintOf(device.key) };
      const whose = { iss: deviceId, tid: tenantId, sub: userId, aud: baseUrl };
      const header = { typ: 'omi-push-token+jws', kid: deviceId };
      const body = signCompact({ header, claims: { ...times, ...whose, pushToken }, key: privateKey });
      const { devices, released, endpoints } = world;
      const handler = createHandler({
        devices,
        released,
        endpoints,
        push,
        baseUrls: [baseUrl],
        pushServices: { hosts: [] },
      });
      return await handler({ body } as ApiEvent, {} as Context);
    };
    return { device, refresh };
  }

  test('has its endpoint, and the old endpoint is deleted', async () => {
    const { device, refresh } = await withKey();
    const token = newToken();
    await refresh(token);
    await run();
    expect(await world.hasToken(token)).toBe(true);
    expect(await world.hasToken(device.pushToken)).toBe(false);
  });

  test('keeps the name that it is given meanwhile', async () => {
    const { device, refresh } = await withKey();
    let calls = 0;
    const push = new InterruptedPushClient(async () => {
      calls += 1;
      if (calls === 1) await world.devices.rename(device, 'Kitchen', Date.now() / 1000);
    });
    const pushToken = newToken();
    await refresh(pushToken, push);
    expect(calls).toBe(2);
    expect(await world.devices.find(device)).toMatchObject({ name: 'Kitchen', pushToken });
  });

  test('leaves no token at SNS if it is removed meanwhile', async () => {
    const { device, refresh } = await withKey();
    const token = newToken();
    const push = new InterruptedPushClient(async () => await world.removeAndDie(device));
    await expect(refresh(token, push)).rejects.toMatchObject({ code: 'invalid-signature' });
    await run();
    expect(await world.hasToken(token)).toBe(false);
    expect(await world.hasToken(device.pushToken)).toBe(false);
  });

  test('leaves no token at SNS if SNS cannot enable it, except one that another device uses', async () => {
    const other = await world.enrol();
    for (const [token, stays] of [[newToken(), false] as const, [other.pushToken, true] as const]) {
      const { refresh } = await withKey();
      const refusal = { service: 'sns', operation: 'SetEndpointAttributes', fault: 'access-denied' } as const;
      const { id } = world.sns.faults.add(refusal);
      await expect(refresh(token)).rejects.toThrow();
      world.sns.faults.remove(id);
      await run();
      expect(await world.hasToken(token)).toBe(stays);
    }
  });
});

describe('a push', () => {
  const push = async (device: NativeDevice) => {
    const confirmations = new ConfirmationStore(world.client, 'confirmations');
    const confirmation = {
      ...{ challengeId: 'c', message: 'Pay?', expiresAt: 0, expiresIn: 30 },
      ...plainContext,
    } as Confirmation;
    const deps = { devices: world.devices, confirmations, push: nativeOnly(world.sns.push) };
    return await deliverPush(deps, { ...confirmation, delivery: 'sent' }, [device], undefined);
  };

  test('restores the push token of a removed device only for a moment', async () => {
    const device = await world.enrol();
    await world.removeAndDie(device);
    await run();
    expect(await world.hasToken(device.pushToken)).toBe(false);
    expect(await push(device)).toMatchObject({ delivery: 'failed' });
    await run();
    expect(await world.hasToken(device.pushToken)).toBe(false);
    expect(await world.left()).toEqual([]);
  });

  test('creates a lasting endpoint for a device whose endpoint is gone', async () => {
    const device = await world.enrol();
    await world.endpoints.deleteEndpoint(device.endpointArn);
    expect(await push(device)).toMatchObject({ delivery: 'sent' });
    await run();
    expect(await world.hasToken(device.pushToken)).toBe(true);
  });
});

describe('an enrolment', () => {
  const key = (x: string): DeviceKey => ({ kty: 'EC', crv: 'P-256', x, y: 'y' });

  async function invite() {
    const [code, now, user] = [newCode(), Date.now(), { tenantId: randomUUID(), userId: 'bob' }];
    const enrolments = new EnrolmentStore(world.client, 'enrolments');
    const outbox = new Outbox(world.client, 'events', { instanceId: 'test', version: '1' });
    const enrolment = { ...user, tenantName: 'Bank', clientId: 'c', maxDevices: 5, expiresAt: now + 60_000 };
    await enrolments.create({ ...enrolment, enrolmentId: enrolmentIdOf(code) });
    const policies = new FurtherDevicesPolicyStore(world.client, 'tenants');
    const suspend = async () => await transact(world.client, suspensionWrites('devices', user.tenantId));
    const apply = async (x: string, pushToken: string, push: PushClient = world.sns.push) => {
      const description = { name: 'Phone', platform: 'fcm', pushToken } as const;
      const context = { now, origin: { traceId: 'trace' } };
      const deps = {
        enrolments,
        outbox,
        policies,
        devices: world.devices,
        push: nativeOnly(push),
        relyingParty,
        ...receiptDeps,
      };
      return await enrolDevice(deps, { code, key: key(x), description, passkey: undefined, context });
    };
    return { apply, suspend, user };
  }

  test('leaves no push token at SNS when it came second, and the first keeps its token', async () => {
    const { apply } = await invite();
    const [first, second] = [newToken(), newToken()];
    const push = new InterruptedPushClient(async () => await apply('a', first));
    await expect(apply('b', second, push)).rejects.toMatchObject({ code: 'enrolment-code-used' });
    await run();
    expect(await world.hasToken(second)).toBe(false);
    expect(await world.hasToken(first)).toBe(true);
  });

  test('makes no device and leaves no push token when the tenant is suspended or deleted meanwhile', async () => {
    const { apply, suspend, user } = await invite();
    const token = newToken();
    const push = new InterruptedPushClient(suspend);
    await expect(apply('a', token, push)).rejects.toMatchObject({ code: 'enrolment-not-found' });
    expect((await world.devices.loadUser(user)).devices).toEqual([]);
    await run();
    expect(await world.hasToken(token)).toBe(false);
  });

  test('does not change the first when it is repeated with another push token', async () => {
    const { apply } = await invite();
    const [first, second] = [newToken(), newToken()];
    const push = new InterruptedPushClient(async () => await apply('a', first));
    await apply('a', second, push);
    await run();
    expect(await world.hasToken(second)).toBe(false);
    expect(await world.hasToken(first)).toBe(true);
  });
});
