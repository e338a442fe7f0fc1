import { randomBytes, randomInt } from 'node:crypto';
import type { Challenge, Notification } from '../client/contract.ts';
import type { StackFile } from '../client/local-stack.ts';
import { WebsiteClient } from '../client/website-client.ts';
import { SimulatedDevice } from '../device/simulated-device.ts';
import { enrolPhone, getToken, listDevices } from './enrolment-steps.ts';
import type { Narrator } from './narrator.ts';
import * as push from './push-steps.ts';
import type { Scene } from './scene.ts';

/** The whole flow once: enrol, push, confirm, verify; then a second push that the user declines. */
export async function walkThrough(stack: StackFile, narrator: Narrator): Promise<void> {
  const scene: Scene = {
    stack,
    website: new WebsiteClient({ ...stack, ...stack.tenants[0] }),
    phone: new SimulatedDevice({ name: 'Demo phone' }),
    // A new user each time: the limits and pauses of an earlier run are not this one's.
    userId: `demo-${randomBytes(4).toString('hex')}`,
    narrator,
  };
  await getToken(scene);
  await enrolPhone(scene);
  await listDevices(scene);

  const payment = notification(`Pay ${randomInt(10, 90)}.00 € to Café Zoë ☕?`);
  await push.confirm(scene, await reachPhone(scene, payment));
  const confirmed = await push.pollFor(scene, payment.nonce, 'confirmed');
  await push.checkEvidence(scene, confirmed, payment);

  const change = notification('Change your payment method?');
  await push.decline(scene, await reachPhone(scene, change));
  await push.pollFor(scene, change.nonce, 'denied');
}

const notification = (message: string): Notification => {
  return { message, nonce: randomBytes(16).toString('base64url') };
};

async function reachPhone(scene: Scene, { message, nonce }: Notification): Promise<Challenge> {
  const challengeId = await push.sendPush(scene, { message, nonce });
  await push.receivePush(scene, challengeId, message);
  return await push.fetchChallenge(scene, challengeId);
}
