import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withFault, type Fault } from '../../../tools/local/client/local-stack.ts';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import { eventsIn } from '../../cli/commands/tables.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { CallbackWebsite } from '../callbacks/website.ts';
import { succeeded } from '../expectations.ts';
import { noticesTo } from '../further-devices/bank.ts';
import { enrolDevice, newUser, openChallenge } from '../scenario.ts';
import { question } from '../website/groups.ts';
import { patiently } from './patience.ts';

const write = { service: 'dynamodb', operation: 'TransactWriteItems' } as const;

const faults: Record<string, Fault> = {
  'DynamoDB throttles the write of a vote': { ...write, fault: 'throttle', times: 1 },
  'DynamoDB refuses each vote once because of another one': { ...write, fault: 'conflict', times: 2 },
  "the reply to DynamoDB's write is lost": { ...write, fault: 'timeout-after', times: 1 },
  'SNS refuses the notice once': { service: 'sns', operation: 'Publish', fault: 'throttle', times: 1 },
  'SQS refuses messages': { service: 'sqs', operation: 'SendMessageBatch', fault: 'unavailable', times: 2 },
};

/** Two of three members who confirm a group at the same moment, where two are enough. */
export function groupVotes(stack: TestStack): void {
  let receiver: Receiver;
  let website: CallbackWebsite;
  beforeAll(async () => {
    receiver = await Receiver.start();
    website = await CallbackWebsite.open(stack, receiver.url);
  });
  afterAll(async () => await receiver.close());

  const enrol = async () => await enrolDevice(website.client, newUser(), { platform: 'apns' });

  test.each(Object.entries(faults))(
    'both count, and the group is decided once, although %s',
    async (_, fault) => {
      const [one, two, third] = [await enrol(), await enrol(), await enrol()] as const;
      const sent = succeeded(await website.client.requestGroup(question([one, two, third], 2)), 202);
      await openChallenge(third);
      const votes = await Promise.all(
        [one, two].map(async (phone) => {
          const challenge = await openChallenge(phone);
          const jws = phone.signAnswer(challenge, { decision: 'confirm' });
          return async () => await postAnswer(phone.identity.baseUrl, challenge.challengeId, jws);
        }),
      );
      const calls = await withFault(stack.file, fault, async () => {
        for (const answer of await Promise.all(votes.map(patiently)))
          expect(succeeded(answer, 200)).toEqual({ status: 'confirmed' });
        return await receiver.until(1, sent.groupId);
      });
      expect(new Set(calls.map(({ body }) => body.type))).toEqual(new Set(['group.approved']));

      const group = succeeded(await website.client.getGroup(sent.nonce), 200);
      expect([group.status, ...group.votes.map(({ status }) => status)]).toEqual([
        ...['approved', 'confirmed', 'confirmed', 'cancelled'],
      ]);
      await until(async () => (await noticesTo(stack, third)).length > 0);
      expect(succeeded(await third.challenges(), 200).challenges).toEqual([]);

      const typesOf = async (id: string) =>
        (await eventsIn(stack, `${website.tenantId}#${id}`)).map(({ metadata }) => metadata['type']);
      expect(await typesOf(sent.groupId)).toEqual([
        'ConfirmationGroupRequestedEvent',
        'ConfirmationGroupApprovedEvent',
      ]);
      const ends = await Promise.all(sent.votes.map(async ({ challengeId }) => await typesOf(challengeId)));
      expect(ends.map(([, ...end]) => end)).toEqual([
        ['PushNotificationConfirmedEvent'],
        ['PushNotificationConfirmedEvent'],
        ['PushNotificationCancelledEvent'],
      ]);
    },
  );
}
