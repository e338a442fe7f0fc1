import * as v from 'valibot';
import {
  defaultBuffering,
  longestDeliveryStreamPrefix,
} from '../export/kinds/bucket/provisioning/delivery-stream.ts';
import { variables } from './environment.ts';
import { wholeSeconds } from './whole-seconds.ts';

const queueUrl = v.pipe(v.string(), v.url());

/** The environment of the Lambdas by which tenants see their export. */
export const tenantViewVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE']).entries,
  /** The service's account. Tenants' policies name roles in it. */
  OPERATOR_ACCOUNT: v.pipe(v.string(), v.nonEmpty()),
  OPERATOR_PARTITION: v.pipe(v.string(), v.nonEmpty()),
  OPERATOR_REGION: v.pipe(v.string(), v.nonEmpty()),
});

export type TenantViewEnvironment = v.InferOutput<typeof tenantViewVariables>;

/** The variables of Lambdas that call webhooks. */
const webhookNames = ['SECRETS_KEY_ID', 'OUTBOUND_LOOPBACK'] as const;

/** The environment of the Lambdas between the events table and the tenants' targets. */
export const exportVariables = v.object({
  ...v.pick(variables, [
    'TENANTS_TABLE',
    'EVENTS_TABLE',
    'ATTEMPTS_TABLE',
    'SIGNALS_TABLE',
    'LOG_TABLE',
    'SIGNAL_KEY_IDS',
    'BASE_URL',
    ...webhookNames,
  ]).entries,
  /** SQS FIFO queue of records that their targets did not take. */
  PARKING_QUEUE_URL: queueUrl,
  /** SQS queue of content that can never be delivered, for people. */
  UNDELIVERABLE_QUEUE_URL: queueUrl,
  /** SQS queue of the next portions of replays. */
  REPLAYS_QUEUE_URL: queueUrl,
  /** SQS queue of targets whose trust is to be tested. */
  VERIFICATIONS_QUEUE_URL: queueUrl,
  /** Seconds until parked records are tried again, at first and at most. */
  REDELIVERY_SHORTEST_WAIT: v.optional(wholeSeconds, '1'),
  REDELIVERY_LONGEST_WAIT: v.optional(wholeSeconds, '45'),
});

/** The part of it that delivery needs. */
export type ExportEnvironment = Pick<
  v.InferOutput<typeof exportVariables>,
  | 'TENANTS_TABLE'
  | 'ATTEMPTS_TABLE'
  | 'SIGNALS_TABLE'
  | 'SIGNAL_KEY_IDS'
  | 'BASE_URL'
  | 'PARKING_QUEUE_URL'
  | 'UNDELIVERABLE_QUEUE_URL'
  | 'VERIFICATIONS_QUEUE_URL'
  | (typeof webhookNames)[number]
>;

/** The part of it that a replay needs. */
export type ReplayEnvironment = Pick<
  v.InferOutput<typeof exportVariables>,
  'TENANTS_TABLE' | 'EVENTS_TABLE' | 'PARKING_QUEUE_URL' | 'REPLAYS_QUEUE_URL'
>;

const wholeNumber = (smallest: number, largest: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.minValue(smallest), v.maxValue(largest));

/** The environment of the Lambdas that provision the tenants' delivery streams. */
export const provisioningVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE']).entries,
  /** SQS queue of targets whose delivery stream may have to change. */
  PROVISIONING_QUEUE_URL: queueUrl,
  /** The prefix of the names of this deployment's delivery streams, for example `omi-dev-`. */
  DELIVERY_STREAM_PREFIX: v.pipe(
    v.string(),
    v.regex(/^[a-zA-Z0-9_.-]+$/),
    v.maxLength(longestDeliveryStreamPrefix),
  ),
  /** When Firehose writes an object, whichever comes first, within the quotas of Firehose. */
  DELIVERY_BUFFER_SECONDS: v.optional(wholeNumber(0, 900), String(defaultBuffering.seconds)),
  DELIVERY_BUFFER_MEBIBYTES: v.optional(wholeNumber(1, 128), String(defaultBuffering.mebibytes)),
});

/** The environment of Lambdas that queue targets to be verified. */
export const schedulingVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE']).entries,
  /** SQS queue of targets whose trust is to be tested. */
  VERIFICATIONS_QUEUE_URL: queueUrl,
});

/** The environment of the Lambda that verifies trust in targets. */
export const verificationVariables = v.object({
  ...schedulingVariables.entries,
  ...v.pick(variables, [...webhookNames, 'BASE_URL']).entries,
});

/** The environment of the Lambdas that write Firehose's reports into targets' records. */
export const reportVariables = v.object({
  ...schedulingVariables.entries,
  ...v.pick(provisioningVariables, ['DELIVERY_STREAM_PREFIX']).entries,
});
