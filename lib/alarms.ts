import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { CustomThreshold } from 'cdk-monitoring-constructs';

/** When somebody is told, of what, and where the guide for operators goes on. */
type Alarm = {
  impact: string;
  /** Heading in docs/operations.md, as a link names it. */
  section: string;
  /** Told when the metric is above. */
  above: number;
  /** For so many minutes, of which the metric is taken. */
  minutes: number;
};

const hour = 60 * 60 * 1_000;

/** Other alarms: the API's 5xx, each Lambda's errors and, in a canary rollout, the faults of the new version. */
export const alarms = {
  'push-fails': {
    impact: 'Users of one platform get no pushes; their apps still find the challenge when they are opened.',
    section: 'pushes-fail',
    above: 5,
    minutes: 15,
  },
  'provider-refuses': {
    impact:
      'FCM or APNs refuses pushes that SNS accepted: users get no push. Their apps still find the challenge when they are opened.',
    section: 'the-provider-refuses-pushes',
    above: 5,
    minutes: 15,
  },
  'push-tokens-stay': {
    impact: 'Push tokens of removed devices have been at SNS for an hour, because SNS does not delete them.',
    section: 'push-tokens-stay',
    above: hour,
    minutes: 15,
  },
  'expiries-late': {
    impact: 'Expired confirmations are recorded late: tenants learn late that a user did not answer.',
    section: 'a-stream-falls-behind',
    above: 30_000,
    minutes: 5,
  },
  'export-late': {
    impact: "Every tenant's events arrive late; after 24 hours they would leave the stream.",
    section: 'a-stream-falls-behind',
    above: 60_000,
    minutes: 5,
  },
  'target-stuck': {
    impact:
      "A tenant's events have waited for an hour; others are not affected. After 14 days they are lost.",
    section: 'a-target-is-stuck',
    above: hour,
    minutes: 60,
  },
  'target-nearly-lost': {
    impact: "A tenant's events have waited for ten days: in four more the oldest are lost.",
    section: 'a-target-is-stuck',
    above: 10 * 24 * hour,
    minutes: 60,
  },
  'bucket-takes-nothing': {
    impact:
      "A tenant's bucket takes no events: Firehose tries for 24 hours, and then gives those up that it holds.",
    section: 'a-bucket-takes-nothing',
    // Seconds.
    above: 60 * 60,
    minutes: 5,
  },
  'records-failed': {
    impact:
      'Records of a stream were given up after hours of failures, and lie in the bucket of failed records.',
    section: 'records-were-given-up',
    above: 0,
    minutes: 5,
  },
  'records-lost': {
    impact: 'Records of a stream were given up, and the bucket of failed records did not take them.',
    section: 'records-were-given-up',
    above: 0,
    minutes: 5,
  },
  undeliverable: {
    impact: 'An event cannot be delivered to anybody as it is.',
    section: 'something-is-undeliverable',
    above: 0,
    minutes: 5,
  },
  'dead-letters': {
    impact: 'Messages were given up: an expiry, a parked record or a change of a target was not carried out.',
    section: 'there-are-dead-letters',
    above: 0,
    minutes: 5,
  },
  'loop-stopped': {
    impact:
      'Lambda stopped a function that called itself through its own queue: the work of its messages is not done.',
    section: 'a-recursive-loop-was-stopped',
    above: 0,
    minutes: 5,
  },
  throttled: {
    impact: 'A table turns calls away: callers wait longer, or get 503.',
    section: 'a-table-throttles',
    above: 10,
    minutes: 5,
  },
} as const satisfies Record<string, Alarm>;

export type AlarmName = keyof typeof alarms;

/**
 * What an alarm says to whom it wakes.
 *
 * @param impact what users or tenants notice
 * @param section heading of the guide for operators, as a link names it
 */
export const runbook = (impact: string, section: string): string =>
  `${impact} What to do: docs/operations.md#${section}`;

/** The alarm as the monitoring library takes it; `stack` keeps the names of two stages apart. */
export function alarmOn(stack: string, name: AlarmName, subject = ''): CustomThreshold {
  const { impact, section, above, minutes }: Alarm = alarms[name];
  return {
    alarmNameOverride: [stack, name, subject].filter((part) => part !== '').join('-'),
    alarmDescriptionOverride: runbook(impact, section),
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    // Nothing happened: nobody is stuck.
    treatMissingDataOverride: TreatMissingData.NOT_BREACHING,
    period: Duration.minutes(minutes),
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
  };
}
