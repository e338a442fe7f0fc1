import { expect, test } from '@jest/globals';
import { scan } from '#device';
import { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import { flag } from '../../../tools/client/device/software-authenticator.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, succeeded } from '../expectations.ts';
import { listed, newUser, startEnrolment } from '../scenario.ts';
import { enrolWithPasskey, authenticatorOf, tryToEnrol } from './scene.ts';

export function passkeys(stack: TestStack): void {
  const json = async <Value>(...args: string[]): Promise<Value> => await jsonOn(stack)<Value>(...args);

  test.each([true, false])('is stored with the device, synced: %s', async (synced) => {
    const { device } = await enrolWithPasskey(stack, { synced });
    const { userId, deviceId } = device.identity;
    const { tenantId } = stack.file.tenants[0];
    const { devices } = await json<{ devices: object[] }>('device', 'list', tenantId, userId);
    expect(devices).toEqual([expect.objectContaining({ deviceId, passkey: true, passkeySynced: synced })]);
  });

  test('is not shown to websites', async () => {
    const { device } = await enrolWithPasskey(stack);
    const shown = await listed(stack.website, device);
    expect(Object.keys(shown).filter((name) => name.includes('passkey'))).toEqual([]);
  });

  test('gets the same answer when its enrolment is repeated', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const passkey = authenticatorOf(stack).create(scan(qr).code);
    const device = new SimulatedDevice();
    const first = succeeded(await device.enrol(qr, { claims: { passkey } }), 201);
    expect(succeeded(await device.enrol(qr, { claims: { passkey } }), 201)).toEqual(first);
  });

  test.each([
    ['without members', 'a0'],
    // Chrome asks security keys for this protection by itself.
    ['with the output of credProtect', 'a16b6372656450726f7465637402'],
    ['with nested outputs', 'a2636f6e65820118ff6374776fa1616bf5'],
  ])('may have extensions %s', async (_, extensions) => {
    const { answer } = await tryToEnrol(stack.website, authenticatorOf(stack), {
      flags: flag.UP | flag.UV | flag.AT | flag.ED,
      extensions: Buffer.from(extensions, 'hex'),
    });
    succeeded(answer, 201);
  });

  test.each([
    [{ publicKey: undefined }, '/passkey/publicKey'],
    [{ id: 7 }, '/passkey/id'],
    [{ authenticatorData: null }, '/passkey/authenticatorData'],
    [{ clientDataJSON: {} }, '/passkey/clientDataJSON'],
  ])('is rejected with 400 for %j', async (members, pointer) => {
    const { answer } = await tryToEnrol(stack.website, authenticatorOf(stack), {}, (passkey) => ({
      ...passkey,
      ...members,
    }));
    expectFaults(answer, pointer);
  });
}
