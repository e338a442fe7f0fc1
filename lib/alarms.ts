import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CustomThreshold } from 'cdk-monitoring-constructs';

/** When an alarm rings, what it says, and which section of the operators' guide it names. */
type Alarm = {
  impact: string;
  /** Anchor of a heading in docs/operations/alarms.md. */
  section: string;
  /** The alarm rings when the metric is above this value. */
  above: number;
  /** Period of the metric. */
  minutes: number;
};

const hour = 60 * 60 * 1_000;

/** Other constructs add alarms on the API's 5xx, each Lambda's errors and, in a canary rollout, a new version's faults. */
export const alarms = {
  'push-fails': {
    impact: 'Users of one platform get no pushes. Their apps still show the challenge when they are opened.',
    section: 'pushes-fail',
    above: 5,
    minutes: 15,
  },
  'provider-refuses': {
    impact:
      'FCM or APNs rejects pushes that SNS accepted, so users get no push. Their apps still show the challenge when they are opened.',
    section: 'the-provider-refuses-pushes',
    above: 5,
    minutes: 15,
  },
  'push-tokens-stay': {
    impact:
      'SNS still has push tokens of devices that were removed an hour ago, because it does not delete them.',
    section: 'push-tokens-stay',
    above: hour,
    minutes: 15,
  },
  'expiries-late': {
    impact: 'Expired confirmations are recorded late, so tenants learn late that a user did not answer.',
    section: 'a-stream-falls-behind',
    above: 30_000,
    minutes: 5,
  },
  'long-expiries-late': {
    impact:
      'Confirmations that lived longer than 15 minutes are recorded as expired late, so tenants learn late that a user did not answer.',
    section: 'the-clock-of-expiries-is-late',
    above: 30_000,
    minutes: 5,
  },
  'export-late': {
    impact: "Every tenant's events arrive late. After 24 hours in the stream they would be lost.",
    section: 'a-stream-falls-behind',
    above: 60_000,
    minutes: 5,
  },
  'target-stuck': {
    impact:
      "A tenant's events have waited for an hour. Other tenants are not affected. After 14 days the events are lost.",
    section: 'a-target-is-stuck',
    above: 0,
    minutes: 5,
  },
  'target-nearly-lost': {
    impact: "A tenant's events have waited for ten days. In four more days the oldest are lost.",
    section: 'a-target-is-stuck',
    above: 10 * 24 * hour,
    minutes: 60,
  },
  'bucket-in-trouble': {
    impact:
      "Firehose cannot write into a tenant's bucket. New events wait; what Firehose has is dropped after 24 hours, and can be replayed.",
    section: 'a-bucket-is-in-trouble',
    above: 0,
    minutes: 15,
  },
  'bucket-incomplete': {
    impact:
      "Events are missing in a tenant's bucket, because Firehose gave them up. They can be replayed for 14 days.",
    section: 'events-are-missing-in-a-bucket',
    above: 0,
    minutes: 15,
  },
  'records-failed': {
    impact:
      'Lambda gave up records of a stream after hours of failures. They are in the bucket of failed records.',
    section: 'records-were-given-up',
    above: 0,
    minutes: 5,
  },
  'records-lost': {
    impact: 'Lambda gave up records of a stream and could not write them into the bucket of failed records.',
    section: 'records-were-given-up',
    above: 0,
    minutes: 5,
  },
  'log-late': {
    impact:
      "Minutes of a tenant's log have been open for 15 minutes, so nobody can prove what was accepted since. Events are exported as always.",
    section: 'the-log-falls-behind',
    above: 15 * 60_000,
    minutes: 5,
  },
  undeliverable: {
    impact: 'An event is malformed and cannot be delivered to any target.',
    section: 'something-is-undeliverable',
    above: 0,
    minutes: 5,
  },
  'dead-letters': {
    impact:
      'Messages are dead letters: an expiry, a callback, or a test or change of a target was not processed.',
    section: 'there-are-dead-letters',
    above: 0,
    minutes: 5,
  },
  'loop-stopped': {
    impact:
      'Lambda stopped a function that called itself through its own queue, so messages were not processed.',
    section: 'a-recursive-loop-was-stopped',
    above: 0,
    minutes: 5,
  },
  'keys-fail': {
    impact:
      'KMS refuses a key of the service, so tokens are not signed, or callbacks and pings are not sent. Nothing is lost: clients and queues try again.',
    section: 'a-key-fails',
    above: 5,
    minutes: 5,
  },
  'callbacks-wait': {
    impact:
      "A website's receiver has failed or refused callbacks for an hour. Other websites are not affected. After a day its callbacks are lost; it can still poll.",
    section: 'callbacks-wait',
    above: hour,
    minutes: 60,
  },
  'callbacks-given-up': {
    impact:
      'Callbacks or pings were given up after all attempts. The websites learn the results only by polls.',
    section: 'callbacks-wait',
    above: 0,
    minutes: 5,
  },
  'callbacks-crowded': {
    impact:
      'So many callbacks wait for failing receivers that SQS will soon hold back further attempts for all receivers. First attempts are not affected.',
    section: 'callbacks-wait',
    above: 100_000,
    minutes: 5,
  },
  throttled: {
    impact: 'A table throttles calls, so callers wait longer or get 503.',
    section: 'a-table-throttles',
    above: 10,
    minutes: 5,
  },
} as const satisfies Record<string, Alarm>;

export type AlarmName = keyof typeof alarms;

/**
 * The description of an alarm.
 *
 * @param impact what users or tenants notice
 * @param section anchor of a heading in docs/operations/alarms.md
 */
export const runbook = (impact: string, section: string): string =>
  `${impact} What to do: docs/operations/alarms.md#${section}`;

/** The alarm in the form of the monitoring library. Its name begins with the stack's, so stages do not share alarms. */
export function alarmOn(stack: string, name: AlarmName, subject = ''): CustomThreshold {
  const { impact, section, above, minutes }: Alarm = alarms[name];
  return {
    alarmNameOverride: [stack, name, subject].filter((part) => part !== '').join('-'),
    alarmDescriptionOverride: runbook(impact, section),
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Without data nothing happened, so nothing is wrong.
    treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
    period: Duration.minutes(minutes),
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
  };
}
