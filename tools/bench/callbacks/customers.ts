import { randomUUID } from 'node:crypto';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { bodyOf } from '../../client/http.ts';
import type { WebsiteClient } from '../../client/website-client.ts';

/** A user of the website, with one device. Each is asked once, so no push limit slows a round down. */
export type Customer = { userId: string; device: SimulatedDevice };

export async function newCustomer(website: WebsiteClient): Promise<Customer> {
  const userId = `bench-${randomUUID()}`;
  const device = new SimulatedDevice();
  await device.enrol(bodyOf(await website.startEnrolment(userId)).qr);
  return { userId, device };
}

/** The user taps "confirm". Returns when that was. */
export async function tap({ device }: Customer): Promise<number> {
  const [challenge] = bodyOf(await device.challenges()).challenges;
  if (!challenge) throw new Error('The device has no challenge');
  const at = Date.now();
  bodyOf(await device.confirm(challenge));
  return at;
}
