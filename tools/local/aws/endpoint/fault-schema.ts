import * as v from 'valibot';

export const services = [
  'cloudwatch',
  'dynamodb',
  'eventbridge',
  'kinesis',
  'firehose',
  'kms',
  's3',
  'secretsmanager',
  'sesv2',
  'sns',
  'sqs',
  'sts',
] as const;
export type ServiceName = (typeof services)[number];

/** `webpush` is the push service of browsers. */
const faultyServices = [...services, 'webpush'] as const;
export type FaultyService = (typeof faultyServices)[number];

export const faultKinds = [
  'throttle',
  'partial',
  'access-denied',
  'not-found',
  'unavailable',
  'timeout-after',
  'slow',
  'disabled',
  'conflict',
  'gone',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The kinds that only some services have; all services have the others. */
const servicesOfKind: Partial<Record<FaultKind, readonly FaultyService[]>> = {
  partial: ['dynamodb', 'eventbridge', 'kinesis', 'firehose', 'sqs'],
  disabled: ['sns', 'kinesis', 'kms'],
  conflict: ['dynamodb'],
  gone: ['webpush'],
};

const kindsOfWebPush: readonly FaultKind[] = ['gone', 'throttle', 'unavailable', 'slow'];

const isPossible = (service: FaultyService, fault: FaultKind): boolean =>
  service === 'webpush' ? kindsOfWebPush.includes(fault) : (servicesOfKind[fault]?.includes(service) ?? true);

const shape = v.strictObject({
  service: v.picklist(faultyServices),
  operation: v.optional(v.pipe(v.string(), v.nonEmpty())),
  resource: v.optional(v.pipe(v.string(), v.nonEmpty())),
  fault: v.picklist(faultKinds),
  ratio: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  delayMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** A requested fault. Unknown members are rejected, and so is a kind that the service does not have. */
export const faultSchema = v.pipe(
  shape,
  v.forward(
    v.check(
      ({ fault, service }) => isPossible(service, fault),
      (issue) => {
        const { fault, service } = issue.input;
        return `The service ${service} has no fault ${fault}.`;
      },
    ),
    ['fault'],
  ),
);

export type Fault = v.InferOutput<typeof shape>;
