import * as v from 'valibot';

export const SERVICES = ['dynamodb', 'kinesis', 'firehose', 's3', 'sns', 'sqs', 'sts'] as const;
export type ServiceName = (typeof SERVICES)[number];

export const FAULT_KINDS = [
  'throttle',
  'partial',
  'access-denied',
  'not-found',
  'unavailable',
  'timeout-after',
  'slow',
  'disabled',
  'conflict',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The kinds that only some services have; all services have the others. */
const SERVICES_OF_KIND: Partial<Record<FaultKind, readonly ServiceName[]>> = {
  partial: ['dynamodb', 'kinesis', 'firehose', 'sqs'],
  disabled: ['sns', 'kinesis'],
  conflict: ['dynamodb'],
};

const shape = v.strictObject({
  service: v.picklist(SERVICES),
  operation: v.optional(v.pipe(v.string(), v.nonEmpty())),
  resource: v.optional(v.pipe(v.string(), v.nonEmpty())),
  fault: v.picklist(FAULT_KINDS),
  ratio: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  delayMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** A requested fault. Unknown members are rejected, and so is a kind that the service does not have. */
export const faultSchema = v.pipe(
  shape,
  v.forward(
    v.check(
      ({ fault, service }) => SERVICES_OF_KIND[fault]?.includes(service) ?? true,
      (issue) => {
        const { fault, service } = issue.input;
        return `The service ${service} has no fault ${fault}.`;
      },
    ),
    ['fault'],
  ),
);

export type Fault = v.InferOutput<typeof shape>;
