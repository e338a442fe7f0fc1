import { randomUUID } from 'node:crypto';
import { CreatePlatformEndpointCommand } from '@aws-sdk/client-sns';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NativeDevice } from '../../../../core/devices/device.ts';
import { releaseEndpoint, releaseEndpoints } from '../../../../core/devices/push/release-endpoint.ts';
import { EndpointWorld } from '../../../support/endpoint-world.ts';

let world: EndpointWorld;

beforeAll(async () => {
  world = await EndpointWorld.start();
});
afterAll(async () => await world.close());

const soon = () => Date.now() + 60_000;
const run = async (endsAt = soon()) => await releaseEndpoints(world, endsAt);
const stateOf = async (device: NativeDevice) => [await world.isAtSns(device), await world.left()];

describe('the endpoint of a removed device', () => {
  test('is deleted together with its release', async () => {
    const device = await world.enrol();
    await releaseEndpoint(world, await world.removeAndDie(device));
    expect(await world.isAtSns(device)).toBe(false);
    expect(await world.left()).toEqual([]);
  });

  test('is deleted by a later run if its deletion failed', async () => {
    const device = await world.enrol();
    world.refusing(device, 2);
    await releaseEndpoint(world, await world.removeAndDie(device));
    expect(await stateOf(device)).toEqual([true, [device.endpointArn]]);
    expect(await run()).toMatchObject({ done: 0, failed: 1 });
    expect(await stateOf(device)).toEqual([true, [device.endpointArn]]);
    expect(await run()).toEqual({ done: 1, failed: 0 });
    expect(await stateOf(device)).toEqual([false, []]);
  });

  test('is deleted by the next run if the process ended after its removal', async () => {
    const device = await world.enrol();
    await world.removeAndDie(device);
    expect(await world.isAtSns(device)).toBe(true);
    await run();
    expect(await stateOf(device)).toEqual([false, []]);
  });

  test('stays while another device uses it', async () => {
    const [one, other] = [await world.enrol('shared-token'), await world.enrol('shared-token')];
    expect(one.endpointArn).toBe(other.endpointArn);
    await world.removeAndDie(one);
    await run();
    expect(await stateOf(other)).toEqual([true, []]);
    await world.removeAndDie(other);
    await run();
    expect(await stateOf(other)).toEqual([false, []]);
  });

  test('is checked again if it was released again meanwhile', async () => {
    const [one, other] = [await world.enrol('token-again'), await world.enrol('token-again')];
    const first = await world.removeAndDie(one);
    await world.removeAndDie(other);
    // By one who still saw the other device.
    await world.released.forget(first);
    expect(await world.left()).toEqual([one.endpointArn]);
    await run();
    expect(await stateOf(one)).toEqual([false, []]);
  });

  test('does not affect others if it cannot be deleted', async () => {
    const all = await Promise.all(Array.from({ length: 25 }, async () => await world.enrol()));
    const [stuck, ...others] = all;
    if (!stuck) throw new Error('None was enrolled');
    for (const device of all) await world.removeAndDie(device);
    const { id } = world.refusing(stuck);
    expect(await run()).toMatchObject({ done: 24, failed: 1 });
    expect(await Promise.all(others.map(async (device) => await world.isAtSns(device)))).not.toContain(true);
    expect(await world.left()).toEqual([stuck.endpointArn]);
    world.sns.faults.remove(id);
    await run();
    expect(await world.left()).toEqual([]);
  });

  test('is left to the next run if there is no time', async () => {
    const device = await world.enrol();
    await world.removeAndDie(device);
    expect(await run(Date.now())).toEqual({ done: 0, failed: 0 });
    expect(await world.left()).toEqual([device.endpointArn]);
    await run();
  });

  test('does not identify the user while it waits', async () => {
    const device = await world.enrol();
    await world.removeAndDie(device);
    const { Items } = await world.client.send(new ScanCommand({ TableName: 'devices' }));
    const [item = {}] = (Items ?? []).filter(({ sk }) => sk === device.endpointArn);
    expect(Object.keys(item).sort()).toEqual(['pk', 'releaseId', 'releasedAt', 'sk']);
    await run();
  });
});

describe('the endpoint of a replaced push token', () => {
  test('is deleted by the next run if the process ended after the replacement', async () => {
    const before = await world.enrol();
    const pushToken = `token-${randomUUID()}`;
    const after = {
      ...before,
      pushToken,
      endpointArn: await world.sns.push.enableEndpoint('fcm', pushToken),
    };
    await world.devices.replace(before, after);
    await run();
    expect(await world.isAtSns(before)).toBe(false);
    expect(await stateOf(after)).toEqual([true, []]);
  });

  test('stays if the token is the same', async () => {
    const device = await world.enrol();
    await world.devices.replace(device, { ...device, pushTokenIssuedAt: 1 });
    expect(await world.left()).toEqual([]);
  });
});

test('an endpoint that was created by hand is not deleted', async () => {
  const { EndpointArn = '' } = await world.sns.client.send(
    new CreatePlatformEndpointCommand({
      PlatformApplicationArn: world.sns.applications.fcm,
      Token: 'somebody-elses',
    }),
  );
  await run();
  expect(await world.isAtSns({ endpointArn: EndpointArn })).toBe(true);
});
