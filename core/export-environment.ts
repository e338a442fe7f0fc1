import * as v from 'valibot';
import { variables } from './environment.ts';

const queueUrl = v.pipe(v.string(), v.url());
const seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/),
  v.transform(Number),
  v.minValue(1),
  // A message's visibility timeout goes no further.
  v.maxValue(43_200),
);

/** What the Lambdas between the events table and the tenants' targets are told. */
export const exportVariables = v.object({
  ...v.pick(variables, ['TENANTS_TABLE']).entries,
  /** SQS FIFO queue of records that their targets did not take. */
  PARKING_QUEUE_URL: queueUrl,
  /** SQS queue of what can never be delivered, for people. */
  UNDELIVERABLE_QUEUE_URL: queueUrl,
  /** Seconds until parked records are tried again, at first and at most. */
  REDELIVERY_SHORTEST_WAIT: v.optional(seconds, '1'),
  REDELIVERY_LONGEST_WAIT: v.optional(seconds, '3600'),
});

/** How the parts are put together from it. */
export type ExportEnvironment = Pick<
  v.InferOutput<typeof exportVariables>,
  'TENANTS_TABLE' | 'PARKING_QUEUE_URL' | 'UNDELIVERABLE_QUEUE_URL'
>;
