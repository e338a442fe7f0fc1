import { withFault, type Fault, type StackFile } from '../../local/client/local-stack.ts';
import type { Receiver, ReceiverFault } from './receiver.ts';

export const targetKinds = ['stream', 'bucket', 'webhook', 'bus'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What faults refer to. */
export type Resources = {
  streamName?: string;
  deliveryStreamName?: string;
  bucket?: string;
  receiver?: Receiver;
  busName?: string;
};

type SoakFault = {
  /** Where it is not the fault of a target, it affects the whole stack. */
  of?: TargetKind;
} & ({ aws: (resources: Resources) => Fault } | { receiver: ReceiverFault });

type Kind = Pick<Fault, 'fault' | 'ratio' | 'delayMs'>;

const stream = (fault: Kind): SoakFault => ({
  of: 'stream',
  aws: ({ streamName: resource = '' }) => ({
    service: 'kinesis',
    operation: 'PutRecords',
    resource,
    ...fault,
  }),
});
const bucket = (fault: Kind): SoakFault => ({
  of: 'bucket',
  aws: ({ deliveryStreamName: resource = '' }) => ({
    ...{ service: 'firehose', operation: 'PutRecordBatch', resource },
    ...fault,
  }),
});
const bus = (fault: Kind): SoakFault => ({
  of: 'bus',
  aws: ({ busName: resource = '' }) => ({
    ...{ service: 'eventbridge', operation: 'PutEvents', resource },
    ...fault,
  }),
});
const webhook = (receiver: ReceiverFault): SoakFault => ({ of: 'webhook', receiver });
const everywhere = (fault: Fault): SoakFault => ({ aws: () => fault });

export const faults: Readonly<Record<string, SoakFault>> = {
  'stream-throttled': stream({ fault: 'throttle', ratio: 0.7 }),
  'stream-partial': stream({ fault: 'partial', ratio: 0.4 }),
  'stream-unavailable': stream({ fault: 'unavailable' }),
  'stream-slow': stream({ fault: 'slow', delayMs: 1_500 }),
  'stream-answers-lost': stream({ fault: 'timeout-after', ratio: 0.3 }),
  'stream-never-answers': stream({ fault: 'timeout-after' }),
  'stream-refused': stream({ fault: 'access-denied' }),
  'stream-missing': stream({ fault: 'not-found' }),
  'bucket-throttled': bucket({ fault: 'throttle', ratio: 0.7 }),
  'bucket-partial': bucket({ fault: 'partial', ratio: 0.4 }),
  'bucket-unavailable': bucket({ fault: 'unavailable' }),
  'bucket-slow': bucket({ fault: 'slow', delayMs: 1_500 }),
  'bucket-answers-lost': bucket({ fault: 'timeout-after', ratio: 0.3 }),
  's3-unavailable': {
    of: 'bucket',
    aws: ({ bucket: resource = '' }) => ({
      service: 's3',
      operation: 'PutObject',
      resource,
      fault: 'unavailable',
    }),
  },
  'webhook-refuses': webhook('refuses'),
  'webhook-throttles': webhook('throttles'),
  'webhook-fails': webhook('fails'),
  'webhook-is-slow': webhook('is-slow'),
  'webhook-hangs': webhook('hangs'),
  'webhook-cuts': webhook('cuts'),
  'bus-throttled': bus({ fault: 'throttle', ratio: 0.7 }),
  'bus-partial': bus({ fault: 'partial', ratio: 0.4 }),
  'bus-unavailable': bus({ fault: 'unavailable' }),
  'bus-answers-lost': bus({ fault: 'timeout-after', ratio: 0.3 }),
  'bus-refused': bus({ fault: 'access-denied' }),
  'keys-unavailable': everywhere({ service: 'kms', fault: 'unavailable' }),
  'roles-unavailable': everywhere({ service: 'sts', fault: 'unavailable' }),
  'roles-refused': everywhere({ service: 'sts', fault: 'access-denied' }),
  'queues-unavailable': everywhere({ service: 'sqs', fault: 'unavailable', ratio: 0.3 }),
  'queues-slow': everywhere({ service: 'sqs', fault: 'slow', delayMs: 1_500 }),
  'queues-answers-lost': everywhere({ service: 'sqs', fault: 'timeout-after', ratio: 0.3 }),
  'queues-partial': everywhere({ service: 'sqs', fault: 'partial', ratio: 0.3 }),
  'tables-throttled': everywhere({ service: 'dynamodb', fault: 'throttle', ratio: 0.2 }),
  'tables-unavailable': everywhere({ service: 'dynamodb', fault: 'unavailable', ratio: 0.2 }),
  'tables-slow': everywhere({ service: 'dynamodb', fault: 'slow', delayMs: 500, ratio: 0.2 }),
  'tables-updates-lost': everywhere({
    ...({ service: 'dynamodb', operation: 'UpdateItem', fault: 'timeout-after' } as const),
    ratio: 0.3,
  }),
  'tables-conflicts': everywhere({ service: 'dynamodb', fault: 'conflict', ratio: 0.2 }),
  'tables-answers-lost': everywhere({
    ...({ service: 'dynamodb', operation: 'TransactWriteItems', fault: 'timeout-after' } as const),
    ratio: 0.05,
  }),
};

/** Makes something fail for the duration of the work. */
export async function failing(
  stack: StackFile,
  name: string,
  resources: Resources,
  work: () => Promise<unknown>,
): Promise<void> {
  const fault = faults[name];
  if (fault && 'aws' in fault) {
    await withFault(stack, fault.aws(resources), work);
    return;
  }
  const { receiver } = resources;
  if (receiver === undefined || fault === undefined) throw new Error(`There is no webhook for ${name}`);
  receiver.fault = fault.receiver;
  await work().finally(() => (receiver.fault = undefined));
}
