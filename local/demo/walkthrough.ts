import { randomBytes, randomInt } from 'node:crypto';
import type { Challenge, Notification } from '../../client/contract.ts';
import type { StackFile } from '../client/local-stack.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { enrolPhone, getToken, listDevices } from './enrolment-steps.ts';
import { openExports, readLogEvents, readPublicEvents, recordLogEvents } from './export-steps.ts';
import type { StepReporter } from './step-reporter.ts';
import * as push from './push-steps.ts';
import type { DemoContext } from './context.ts';

/**
 * The whole flow: enrol, push, confirm, verify; a second push that the user declines; and the events in the tenant's stream
 * and bucket.
 */
export async function walkThrough(stack: StackFile, reporter: StepReporter): Promise<void> {
  const [tenant] = stack.tenants;
  const website = new WebsiteClient({ ...stack, ...tenant });
  await getToken({ website, reporter });
  const exports = await openExports({ stack, reporter }, tenant.tenantId);
  try {
    await run({
      stack,
      website,
      phone: new SimulatedDevice({ name: 'Demo phone' }),
      // A new user for each run, so that limits and pauses of earlier runs do not apply.
      userId: `demo-${randomBytes(4).toString('hex')}`,
      reporter,
      exports,
    });
  } finally {
    for (const reader of Object.values(exports)) reader.close();
  }
}

async function run(context: DemoContext): Promise<void> {
  await enrolPhone(context);
  await listDevices(context);

  const payment = notification(`Pay ${randomInt(10, 90)}.00 € to Café Zoë ☕?`);
  await push.confirm(context, await reachPhone(context, payment));
  const confirmed = await push.pollFor(context, payment.nonce, 'confirmed');
  await push.checkEvidence(context, confirmed, payment);

  const change = notification('Change your payment method?');
  await push.decline(context, await reachPhone(context, change));
  const denied = await push.pollFor(context, change.nonce, 'denied');

  const logged = await recordLogEvents(context);
  await readPublicEvents(context, { confirmed, denied });
  await readLogEvents(context, logged);
}

const notification = (message: string): Notification => {
  return { message, nonce: randomBytes(16).toString('base64url') };
};

async function reachPhone(context: DemoContext, { message, nonce }: Notification): Promise<Challenge> {
  const challengeId = await push.sendPush(context, { message, nonce });
  await push.receivePush(context, challengeId, message);
  return await push.fetchChallenge(context, challengeId);
}
