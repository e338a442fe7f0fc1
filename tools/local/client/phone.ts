import { Device, type EnrolmentLink, WebCryptoKey } from '#device';
import { newPushToken } from '../../../client/device/simulated-device.ts';

/** Enrols a phone of this process: its key is lost when the process ends. */
export async function enrolPhone(
  link: EnrolmentLink,
  { name, pushToken = newPushToken() }: { name: string; pushToken?: string },
): Promise<Device> {
  const key = await WebCryptoKey.generate();
  return await Device.enrol(link, { name, platform: 'fcm', pushToken }, { key });
}
