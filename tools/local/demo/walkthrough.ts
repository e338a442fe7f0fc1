import { randomBytes, randomInt } from 'node:crypto';
import { type Device, Omi } from '#website';
import type { Notification } from '../../../client/contract.ts';
import type { StackFile } from '../client/local-stack.ts';
import type { Patience } from '../../../client/waiting.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { enrolDevice, getToken, listDevices } from './enrolment-steps.ts';
import { openExports, readLogEvents, readPublicEvents, recordLogEvents } from './export-steps.ts';
import type { StepReporter } from './step-reporter.ts';
import * as push from './push-steps.ts';
import type { Asked, DemoContext, DemoDevice } from './context.ts';

export type Walkthrough = {
  stack: StackFile;
  device: DemoDevice;
  patience: Patience;
  reporter: StepReporter;
};

/**
 * The whole flow: enrol, push, confirm, verify; a second push that the user denies; and the events in the tenant's stream
 * and bucket.
 */
export async function walkThrough({ stack, device, patience, reporter }: Walkthrough): Promise<void> {
  const [tenant] = stack.tenants;
  const services = new WebsiteClient({ ...stack, ...tenant });
  const { tenantId } = tenant;
  const token = async (): Promise<string> => await services.accessToken();
  const website = new Omi({ baseUrl: stack.baseUrl, tenantId, token });
  await getToken({ services, reporter });
  const exports = await openExports({ stack, reporter }, tenantId);
  try {
    await run({
      stack,
      website,
      services,
      device,
      patience,
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
  const enrolled = await enrolDevice(context);
  await listDevices(context, enrolled);

  const payment = notification(`Pay ${randomInt(10, 90)}.00 € to Café Zoë ☕?`);
  await push.answer(context, await reachDevice(context, enrolled, payment), 'confirm');
  const confirmed = await push.pollFor(context, payment, 'confirmed');
  await push.checkEvidence(context, confirmed, payment);

  const change = notification('Change your payment method?');
  await push.answer(context, await reachDevice(context, enrolled, change), 'deny');
  const denied = await push.pollFor(context, change, 'denied');

  const logged = await recordLogEvents(context);
  await readPublicEvents(context, { confirmed, denied });
  await readLogEvents(context, logged);
}

const notification = (message: string): Notification => {
  const requestedFrom = { browser: 'Firefox on Windows', place: 'Köln' };
  return { message, nonce: randomBytes(16).toString('base64url'), requestedFrom };
};

async function reachDevice(
  context: DemoContext,
  enrolled: Device,
  notification: Notification,
): Promise<Asked> {
  const challengeId = await push.sendPush(context, enrolled, notification);
  const asked = { challengeId, message: notification.message };
  await push.receivePush(context, asked);
  await push.fetchChallenge(context, asked);
  return asked;
}
