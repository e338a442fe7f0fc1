import type { Device, DeviceIdentity } from '../device.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { invalidSignature, readMessage, verify, type MessageType, type UnverifiedMessage } from './jws.ts';

/** A call of an enrolled device, before its key is known. */
export type DeviceCall = { message: UnverifiedMessage; identity: DeviceIdentity };

const maxIdentifier = 128;

const identifier = (value: unknown, claim: string): string => {
  if (typeof value === 'string' && value !== '' && value.length <= maxIdentifier && value.isWellFormed()) {
    return value;
  }
  throw invalidSignature(`Expected the claim ${claim}, a string.`);
};

/**
 * Whose call it claims to be: where the device's record, and with it the key, is to be found.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function readDeviceCall(jws: string, type: MessageType): DeviceCall {
  const message = readMessage(jws, type);
  const { iss, tid, sub } = message.claims;
  const deviceId = identifier(iss, 'iss');
  if (message.header['kid'] !== deviceId) throw invalidSignature('Expected the header kid to equal iss.');
  return {
    message,
    identity: { tenantId: identifier(tid, 'tid'), userId: identifier(sub, 'sub'), deviceId },
  };
}

/** Says no more than a wrong signature does: nobody can find out which devices there are. */
export const unknownDevice = (): Refusal =>
  invalidSignature("The signature does not verify with the device's key.");

const isOf = (device: Device, { tenantId, userId, deviceId }: DeviceIdentity): boolean =>
  device.tenantId === tenantId && device.userId === userId && device.deviceId === deviceId;

/**
 * Verifies the call with the key of the device's record, and no other. An unknown device is refused like a wrong
 * signature.
 *
 * @throws {Refusal} `invalid-signature` or `clock-skew`
 */
export async function verifyDeviceCall(
  call: DeviceCall,
  device: Device | undefined,
  expected: { audience: string; now: number },
): Promise<Device> {
  if (!device || !isOf(device, call.identity)) throw unknownDevice();
  await verify(call.message, { ...expected, key: device.key });
  return device;
}

/**
 * A device's request without a body is bound to its method and URL.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function checkTarget({ message }: DeviceCall, method: string, url: string): void {
  if (message.claims['htm'] !== method) throw invalidSignature(`Expected the claim htm: "${method}".`);
  if (message.claims['htu'] !== url) throw invalidSignature(`Expected the claim htu: "${url}".`);
}
