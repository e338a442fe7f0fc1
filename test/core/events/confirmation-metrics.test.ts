import { expect, test } from '@jest/globals';
import { transitions } from '../../../core/confirmations/confirmation.ts';
import { metricLines } from '../../support/metric-lines.ts';

const { countConfirmations } = await import('../../../core/events/confirmation-metrics.ts');

const lines = metricLines();

const outcomes = (): unknown =>
  Object.fromEntries(
    lines.flatMap(({ outcome, Confirmations }) => (outcome ? [[outcome, Confirmations]] : [])),
  );

test('a batch reports how many confirmations began, and how each ended', () => {
  countConfirmations([
    { type: 'PushNotificationSentEvent' },
    { type: 'PushNotificationSentEvent' },
    { type: 'PushNotificationExpiredEvent', took: 120_000 },
    { type: 'PushNotificationConfirmedEvent', took: 4_000 },
    { type: 'UserSignedInEvent' },
  ]);
  expect(outcomes()).toEqual({ sent: 2, expired: 1, confirmed: 1 });
});

test.each(Object.values(transitions).map(({ event, to }) => [event, to]))('%s counts as %s', (event, to) => {
  countConfirmations([{ type: event }]);
  expect(outcomes()).toEqual({ [to]: 1 });
});

test('the response time is reported only for users who answered', () => {
  countConfirmations([
    { type: 'PushNotificationConfirmedEvent', took: 4_000 },
    { type: 'PushNotificationDeniedEvent', took: 9_000 },
    { type: 'PushNotificationExpiredEvent', took: 120_000 },
    // Recorded by a version that did not measure it.
    { type: 'PushNotificationConfirmedEvent' },
  ]);
  expect(lines.flatMap(({ AnswerTime }) => AnswerTime ?? []).sort()).toEqual([4_000, 9_000]);
});

test('other events report nothing', () => {
  countConfirmations([{ type: 'UserSignedInEvent', took: 5 }]);
  expect(lines).toEqual([]);
});
