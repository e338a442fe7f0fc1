import { randomBytes, randomInt } from 'node:crypto';
import type { Challenge, Notification } from '../../client/contract.ts';
import type { StackFile } from '../client/local-stack.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { enrolPhone, getToken, listDevices } from './enrolment-steps.ts';
import { openExports, readLogEvents, readPublicEvents, recordLogEvents } from './export-steps.ts';
import type { Narrator } from './narrator.ts';
import * as push from './push-steps.ts';
import type { Scene } from './scene.ts';

/**
 * The whole flow once: enrol, push, confirm, verify; a second push that the user declines; and what of it arrives in the
 * tenant's own stream and bucket.
 */
export async function walkThrough(stack: StackFile, narrator: Narrator): Promise<void> {
  const [tenant] = stack.tenants;
  const website = new WebsiteClient({ ...stack, ...tenant });
  await getToken({ website, narrator });
  const exports = await openExports({ stack, narrator }, tenant.tenantId);
  try {
    await play({
      stack,
      website,
      phone: new SimulatedDevice({ name: 'Demo phone' }),
      // A new user each time: the limits and pauses of an earlier run are not this one's.
      userId: `demo-${randomBytes(4).toString('hex')}`,
      narrator,
      exports,
    });
  } finally {
    for (const reader of Object.values(exports)) reader.close();
  }
}

async function play(scene: Scene): Promise<void> {
  await enrolPhone(scene);
  await listDevices(scene);

  const payment = notification(`Pay ${randomInt(10, 90)}.00 € to Café Zoë ☕?`);
  await push.confirm(scene, await reachPhone(scene, payment));
  const confirmed = await push.pollFor(scene, payment.nonce, 'confirmed');
  await push.checkEvidence(scene, confirmed, payment);

  const change = notification('Change your payment method?');
  await push.decline(scene, await reachPhone(scene, change));
  const denied = await push.pollFor(scene, change.nonce, 'denied');

  const logged = await recordLogEvents(scene);
  await readPublicEvents(scene, { confirmed, denied });
  await readLogEvents(scene, logged);
}

const notification = (message: string): Notification => {
  return { message, nonce: randomBytes(16).toString('base64url') };
};

async function reachPhone(scene: Scene, { message, nonce }: Notification): Promise<Challenge> {
  const challengeId = await push.sendPush(scene, { message, nonce });
  await push.receivePush(scene, challengeId, message);
  return await push.fetchChallenge(scene, challengeId);
}
