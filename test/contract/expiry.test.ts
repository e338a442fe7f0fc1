/** That a confirmation expired is an event like any other, also where nobody asks for it. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { RecordedEvents } from './expiry/recorded-events.ts';
import { enrolDevice, push } from './scenario.ts';

const stack = useSharedStack();
const recorded = new RecordedEvents(stack);

/** Long enough for whatever else would be recorded. */
const quiet = async () => await wait(3_000);

test('a confirmation that nobody polls is recorded as expired exactly once', async () => {
  const unasked = await push(stack.website, await enrolDevice(stack.website), { expiresIn: 30 });
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
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(unasked.expiresAt));
  // The minute that an expiry may take.
  await quiet();
  expect(await recorded.of(unasked)).toHaveLength(2);
});
