import type { Device, DeviceIdentity } from '../device.ts';
import type { BaseUrls } from '../../kernel/base-urls.ts';
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
 * Reads which device the call claims to come from, so that its record and key can be found.
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

/** The same problem as for a wrong signature, so that nobody can find out which devices exist. */
export const unknownDevice = (): Refusal =>
  invalidSignature("The signature does not verify with the device's key.");

const isOf = (device: Device, { tenantId, userId, deviceId }: DeviceIdentity): boolean =>
  device.tenantId === tenantId && device.userId === userId && device.deviceId === deviceId;

/**
 * Verifies the call with the key of the device's record. An unknown device gets the same problem as a wrong signature.
 *
 * @throws {Refusal} `invalid-signature` or `clock-skew`
 */
export async function verifyDeviceCall(
  call: DeviceCall,
  device: Device | undefined,
  expected: { baseUrls: BaseUrls; now: number },
): Promise<Device> {
  if (!device || !isOf(device, call.identity)) throw unknownDevice();
  await verify(call.message, { ...expected, key: device.key });
  return device;
}

/**
 * Checks that a verified request without a body was signed for its method and URL. The URL begins with the base URL that was
 * verified as `aud`.
 *
 * @throws {Refusal} `invalid-signature`
 */
export function checkTarget({ message }: DeviceCall, method: string, path: string): void {
  const url = `${String(message.claims['aud'])}${path}`;
  if (message.claims['htm'] !== method) throw invalidSignature(`Expected the claim htm: "${method}".`);
  if (message.claims['htu'] !== url) throw invalidSignature(`Expected the claim htu: "${url}".`);
}
