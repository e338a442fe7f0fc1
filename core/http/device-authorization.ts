import {
  checkTarget,
  readDeviceCall,
  verifyDeviceCall,
  type DeviceCall,
} from '../devices/protocol/device-call.ts';
import { invalidSignature, type MessageType } from '../devices/protocol/jws.ts';
import type { Device } from '../devices/device.ts';
import type { ApiEvent } from './api-event.ts';

/** The JWS of a call without a body: `Authorization: OMI-Device <JWS>` (contract part 3). */
export function readAuthorization(event: ApiEvent): DeviceCall {
  const [, jws] = /^OMI-Device +(\S+)$/i.exec(event.headers['authorization'] ?? '') ?? [];
  if (jws === undefined) throw invalidSignature('Expected the header Authorization: OMI-Device <JWS>.');
  return readDeviceCall(jws, 'omi-request+jws');
}

/** The JWS that is a call's body. */
export const readBody = (event: ApiEvent, type: MessageType): DeviceCall =>
  readDeviceCall(event.body ?? '', type);

export type Verify = (call: DeviceCall, device: Device | undefined, now: number) => Promise<Device>;

/** Verification of the calls that arrive at this base URL. */
export const verifierFor =
  (baseUrl: string): Verify =>
  async (call, device, now) =>
    await verifyDeviceCall(call, device, { audience: baseUrl, now });

/** Verification of a call without a body, which also binds its method and URL. */
export const requestVerifierFor = (baseUrl: string, method: string, path: string) => {
  const verify = verifierFor(baseUrl);
  return async (call: DeviceCall, device: Device | undefined, now: number): Promise<Device> => {
    const verified = await verify(call, device, now);
    checkTarget(call, method, `${baseUrl}${path}`);
    return verified;
  };
};
