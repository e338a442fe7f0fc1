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

/** The kinds that only some services can show; every other kind is possible everywhere. */
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

/** A fault as a person asks for it; unknown members are refused, as is a fault that could never happen. */
export const faultSchema = v.pipe(
  shape,
  v.forward(
    v.check(
      ({ fault, service }) => SERVICES_OF_KIND[fault]?.includes(service) ?? true,
      (issue) => {
        const { fault, service } = issue.input;
        return `${fault} cannot happen to ${service}`;
      },
    ),
    ['fault'],
  ),
);

export type Fault = v.InferOutput<typeof shape>;
