import { expect, test } from '@jest/globals';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolWithPasskey } from './scene.ts';

export function passkeys(stack: TestStack): void {
  const json = async <Value>(...args: string[]): Promise<Value> => await jsonOn(stack)<Value>(...args);

  test.each([true, false])('is stored with the device, synced: %s', async (synced) => {
    const { device } = await enrolWithPasskey(stack, { synced });
    const { userId, deviceId } = device.identity;
    const { tenantId } = stack.file.tenants[0];
    const { devices } = await json<{ devices: object[] }>('device', 'list', tenantId, userId);
    expect(devices).toEqual([expect.objectContaining({ deviceId, passkey: true, passkeySynced: synced })]);
  });
}
