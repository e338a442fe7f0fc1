import { putPushToken } from '../../../client/device/device-api.ts';
import { SimulatedDevice, type Deviation } from '../../../client/device/simulated-device.ts';
import type { WebsiteClient } from '../../../client/website-client.ts';
import { bodyOf } from '../../../client/http.ts';
import { newUser, startEnrolment } from '../scenario.ts';

/** The claims of a web device in place of those of the simulated phone. */
const webClaims = (claims: Record<string, unknown> = {}): Deviation => ({
  claims: { platform: 'web', pushToken: undefined, ...claims },
});

export async function enrolWebDevice(
  website: WebsiteClient,
  claims: Record<string, unknown> = {},
  userId = newUser(),
): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  const { qr } = await startEnrolment(website, userId);
  bodyOf(await device.enrol(qr, webClaims(claims)));
  return device;
}

/** Sends these claims as the device's new address. */
export async function refresh(
  device: SimulatedDevice,
  claims: Record<string, unknown>,
  deviation?: Deviation,
) {
  return await putPushToken(device.identity.baseUrl, device.sign('omi-push-token+jws', claims, deviation));
}
