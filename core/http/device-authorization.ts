import {
  checkTarget,
  readDeviceCall,
  verifyDeviceCall,
  type DeviceCall,
} from '../devices/protocol/device-call.ts';
import { invalidSignature } from '../devices/protocol/jws.ts';
import type { Device } from '../devices/device.ts';
import type { BaseUrls } from '../kernel/base-urls.ts';
import type { ApiEvent } from './api-event.ts';

/** The JWS of a request without a body: `Authorization: OMI-Device <JWS>`. */
export function readAuthorization(event: ApiEvent): DeviceCall {
  const [, jws] = /^OMI-Device +(\S+)$/i.exec(event.headers['authorization'] ?? '') ?? [];
  if (jws === undefined) throw invalidSignature('Expected the header Authorization: OMI-Device <JWS>.');
  return readDeviceCall(jws, 'omi-request+jws');
}

/** Verifies requests without a body, which are also bound to their method and URL. */
export const requestVerifierFor =
  (baseUrls: BaseUrls, method: string, path: string) =>
  async (call: DeviceCall, device: Device | undefined, now: number): Promise<Device> => {
    const verified = await verifyDeviceCall(call, device, { baseUrls, now });
    checkTarget(call, method, path);
    return verified;
  };
