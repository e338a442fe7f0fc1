/** That a confirmation expired is an event like any other, also where nobody asks for it. */
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Confirmation, GroupAnswer } from '../../tools/client/contract.ts';
import { withFault } from '../../tools/local/client/local-stack.ts';
import { bodyOf } from '../../tools/client/http.ts';
import { useExclusiveStack } from '../support/use-stack.ts';
import { succeeded } from './expectations.ts';
import { RecordedEvents } from './expiry/recorded-events.ts';
import { enrolDevice, openChallenge, push } from './scenario.ts';
import { question } from './website/groups.ts';

const stack = useExclusiveStack();
const recorded = new RecordedEvents(stack);

type Asked = Record<'unasked' | 'troubled', Confirmation> & {
  group: GroupAnswer;
};
let sent: Asked;

const ask = async (expiresIn = 30) => {
  const device = await enrolDevice(stack.website);
  return { device, sent: await push(stack.website, device, { expiresIn }) };
};

/** Of two people, of whom one confirms: not enough. */
async function askTwo(): Promise<GroupAnswer> {
  const phones = [await enrolDevice(stack.website), await enrolDevice(stack.website)] as const;
  const asked = question(phones, 2, { expiresIn: 30 });
  const group = succeeded(await stack.website.requestGroup(asked), 202);
  bodyOf(await phones[0].confirm(await openChallenge(phones[0])));
  return group;
}

/** All at once, so that their half minutes are the same one; that of some is over a little later, test by test. */
beforeAll(async () => {
  const [unasked, group] = await Promise.all([ask(), askTwo()]);
  const troubled = await ask(50);
  sent = { unasked: unasked.sent, troubled: troubled.sent, group };
});

const until = async (time: number) => await wait(Math.max(0, time - Date.now()));
const over = ({ expiresAt }: Pick<Confirmation, 'expiresAt'>): number => Date.parse(expiresAt);
/** A machine that is slow is too late for the one that was sent at the start: then another is sent. */
const ahead = async (sent: Confirmation, milliseconds: number): Promise<Confirmation> =>
  over(sent) - milliseconds > Date.now() ? sent : (await ask()).sent;
/** Long enough for whatever else would be recorded. */
const quiet = async () => await wait(3_000);

test('a confirmation that nobody polls is recorded as expired exactly once', async () => {
  const { unasked } = sent;
  expect(await recorded.typesOf(unasked)).toEqual(['PushNotificationSentEvent']);
  const [, expired, ...others] = await recorded.ended(unasked);
  expect(others).toEqual([]);
  expect(expired).toMatchObject({
    metadata: {
      type: 'PushNotificationExpiredEvent',
      category: 'public',
      aggregateId: unasked.challengeId,
      occurredTime: unasked.expiresAt,
    },
    payload: {
      userId: unasked.userId,
      deviceId: unasked.deviceId,
      challengeId: unasked.challengeId,
      messageHash: unasked.messageHash,
    },
  });
  expect(Date.now()).toBeGreaterThanOrEqual(over(unasked));
  // The minute that an expiry may take.
  await quiet();
  expect(await recorded.of(unasked)).toHaveLength(2);
});

test('a group that nobody polls is recorded as expired exactly once, like its open vote', async () => {
  const { group } = sent;
  const [, expired] = await recorded.ended(group);
  const [voted, unasked] = group.votes;
  expect(expired).toMatchObject({
    metadata: {
      type: 'ConfirmationGroupExpiredEvent',
      aggregateId: group.groupId,
      occurredTime: group.expiresAt,
    },
    payload: { groupId: group.groupId, confirmedBy: [voted?.userId], required: 2 },
  });
  if (!voted || !unasked) throw new Error('There are too few votes');
  await recorded.ended(unasked);
  await quiet();
  expect(await recorded.typesOf(group)).toEqual([
    'ConfirmationGroupRequestedEvent',
    'ConfirmationGroupExpiredEvent',
  ]);
  expect(await recorded.typesOf(unasked)).toEqual([
    'PushNotificationSentEvent',
    'PushNotificationExpiredEvent',
  ]);
  expect(await recorded.typesOf(voted)).toEqual([
    'PushNotificationSentEvent',
    'PushNotificationConfirmedEvent',
  ]);
  expect(succeeded(await stack.website.getGroup(group.nonce), 200).status).toBe('expired');
});

test('an expiry is recorded once after an outage of DynamoDB and then SQS', async () => {
  const troubled = await ahead(sent.troubled, 5_000);
  expect(await recorded.of(troubled)).toHaveLength(1);
  await until(over(troubled) - 1_000);
  await withFault(stack.file, { service: 'dynamodb', fault: 'unavailable' }, async () => {
    await until(over(troubled) + 3_000);
  });
  await withFault(stack.file, { service: 'sqs', fault: 'throttle' }, async () => await wait(2_500));
  await recorded.ended(troubled);
  await quiet();
  expect(await recorded.typesOf(troubled)).toEqual([
    'PushNotificationSentEvent',
    'PushNotificationExpiredEvent',
  ]);
});
