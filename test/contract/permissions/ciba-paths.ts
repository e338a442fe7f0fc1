import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { BrowserSubscription } from '../../support/browser-subscription.ts';
import type { TestStack } from '../../support/stack.ts';
import { ClientRegister, demoClient, expectOAuthError } from '../ciba/oauth-client.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, openChallenge, pushAndConfirm, pushAndDeny } from '../scenario.ts';
import { enrolWebDevice } from '../web-device/enrol.ts';
import { deleteEndpoint, disableEndpoint } from './operator.ts';

/** Both methods of authentication, both ways to hear of the end, and a browser. */
async function openIdClients(stack: TestStack): Promise<void> {
  const url = 'https://client.example.org/pinged';
  const pinged = await new ClientRegister(stack).withKeys({ notificationUrl: url });
  const phone = await enrolDevice(stack.website);
  const token = { client_notification_token: randomUUID() };
  const { auth_req_id: id } = await pinged.start(phone.identity.userId, token);
  expectOAuthError(await pinged.poll(id), 'authorization_pending');
  succeeded(await phone.confirm(await openChallenge(phone)), 200);
  expect((await pinged.poll(id)).status).toBe(200);

  const subscription = new BrowserSubscription(`${stack.file.webPushUrl}/${randomUUID()}`).toJSON();
  const browser = await enrolWebDevice(stack.website, { subscription });
  await demoClient(stack).start(browser.identity.userId);
}

async function limitedOrUnreachable(stack: TestStack): Promise<void> {
  const client = demoClient(stack);
  const limited = await enrolDevice(stack.website);
  await pushAndDeny(stack.website, limited, 'not_me');
  const refused = await client.authorize({ login_hint: limited.identity.userId });
  expectOAuthError(refused, 'temporarily_unavailable', 429);
  for (const breakEndpoint of [disableEndpoint, deleteEndpoint]) {
    const device = await enrolDevice(stack.website);
    await pushAndConfirm(stack.website, device);
    await breakEndpoint(stack, device);
    await client.start(device.identity.userId);
  }
}

/** One request whose end a poll finds, and one whose end the next request finds. */
async function expired(stack: TestStack): Promise<void> {
  const client = demoClient(stack);
  const unset = { service: 'sqs', operation: 'SendMessageBatch', fault: 'throttle' } as const;
  await withFault(stack.file, { ...unset, resource: localQueues.expiry }, async () => {
    const ask = async () => {
      const { userId } = (await enrolDevice(stack.website)).identity;
      return { userId, ...(await client.start(userId, { requested_expiry: '30' })) };
    };
    const [polled, again] = [await ask(), await ask()];
    await wait(30_100);
    expectOAuthError(await client.poll(polled.auth_req_id), 'expired_token');
    await client.start(again.userId);
  });
}

export const cibaPaths = [openIdClients, limitedOrUnreachable, expired];
