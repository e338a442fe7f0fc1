import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bodyOf } from '../../../tools/client/http.ts';
import { type Fault, withFault } from '../../../tools/local/client/local-stack.ts';
import { eventually } from '../../support/waiting.ts';
import { Receiver } from '../../support/receiver.ts';
import type { TestStack } from '../../support/stack.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { ClientRegister } from '../ciba/oauth-client.ts';
import { newEvent, postEvents } from '../events.ts';
import { enrolDevice, notification, openChallenge, push } from '../scenario.ts';

/** DynamoDB answers 200, and names most of the keys as not processed. */
const partial: Fault = { service: 'dynamodb', operation: 'BatchGetItem', fault: 'partial', ratio: 0.6 };

export function partialReads(stack: TestStack): void {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(async () => await receiver.close());

  test('a call-back arrives', async () => {
    const website = await CallbackWebsite.open(stack, receiver.url);
    const device = await enrolDevice(website.client);
    const sent = await push(website.client, device, notification());
    await withFault(stack.file, partial, async () => {
      bodyOf(await device.confirm(await openChallenge(device)));
      const [call] = await receiver.until(1, sent.challengeId);
      expect(call?.body).toMatchObject({ type: 'confirmation.confirmed' });
    });
  });

  test('a ping arrives, with its token', async () => {
    const client = await new ClientRegister(stack).withPings(`${receiver.origin}/ciba`);
    const phone = await enrolDevice(stack.website);
    const token = randomBytes(24).toString('base64url');
    const { auth_req_id: id } = await client.start(phone.identity.userId, {
      client_notification_token: token,
    });
    await withFault(stack.file, partial, async () => {
      bodyOf(await phone.confirm(await openChallenge(phone)));
      const findPing = async () =>
        await Promise.resolve(receiver.calls.find(({ text }) => text.includes(id)));
      const { headers } = await eventually('the ping', findPing);
      expect(headers['authorization']).toBe(`Bearer ${token}`);
    });
  });

  test('recorded events are accepted once, also when they are sent again', async () => {
    const { tenantId } = stack.file.tenants[0];
    const events = Array.from({ length: 20 }, () => newEvent(tenantId));
    await withFault(stack.file, partial, async () => {
      for (let time = 0; time < 2; time += 1)
        expect(bodyOf(await postEvents(stack.website, ...events))).toEqual({ accepted: events.length });
    });
  });
}
