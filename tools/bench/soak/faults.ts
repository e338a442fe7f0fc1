import { withFault, type Fault, type StackFile } from '../../local/client/local-stack.ts';
import type { Receiver, ReceiverFault } from './receiver.ts';
import type { TargetKind } from './target-kinds.ts';

/** What faults refer to. */
export type Resources = {
  streamName: string;
  deliveryStreamName: string;
  bucket: string;
  receiver?: Receiver;
};

type SoakFault = {
  /** Where it is not the fault of a target, it affects the whole stack. */
  of?: TargetKind;
} & ({ aws: (resources: Resources) => Fault } | { receiver: ReceiverFault });

const kinesis =
  (fault: Omit<Fault, 'service' | 'operation' | 'resource'>) =>
  ({ streamName: resource }: Resources): Fault => ({
    service: 'kinesis',
    operation: 'PutRecords',
    resource,
    ...fault,
  });

const firehose =
  (fault: Omit<Fault, 'service' | 'operation' | 'resource'>) =>
  ({ deliveryStreamName: resource }: Resources): Fault => ({
    service: 'firehose',
    operation: 'PutRecordBatch',
    resource,
    ...fault,
  });

const everywhere = (fault: Fault) => (): Fault => fault;

const catalogue = {
  'stream-throttled': { of: 'stream', aws: kinesis({ fault: 'throttle', ratio: 0.7 }) },
  'stream-partial': { of: 'stream', aws: kinesis({ fault: 'partial', ratio: 0.4 }) },
  'stream-unavailable': { of: 'stream', aws: kinesis({ fault: 'unavailable' }) },
  'stream-slow': { of: 'stream', aws: kinesis({ fault: 'slow', delayMs: 1_500 }) },
  'stream-answers-lost': { of: 'stream', aws: kinesis({ fault: 'timeout-after', ratio: 0.3 }) },
  'stream-refused': { of: 'stream', aws: kinesis({ fault: 'access-denied' }) },
  'stream-missing': { of: 'stream', aws: kinesis({ fault: 'not-found' }) },
  'bucket-throttled': { of: 'bucket', aws: firehose({ fault: 'throttle', ratio: 0.7 }) },
  'bucket-partial': { of: 'bucket', aws: firehose({ fault: 'partial', ratio: 0.4 }) },
  'bucket-unavailable': { of: 'bucket', aws: firehose({ fault: 'unavailable' }) },
  'bucket-slow': { of: 'bucket', aws: firehose({ fault: 'slow', delayMs: 1_500 }) },
  'bucket-answers-lost': { of: 'bucket', aws: firehose({ fault: 'timeout-after', ratio: 0.3 }) },
  's3-unavailable': {
    of: 'bucket',
    aws: ({ bucket: resource }) => ({
      service: 's3',
      operation: 'PutObject',
      resource,
      fault: 'unavailable',
    }),
  },
  'webhook-refuses': { of: 'webhook', receiver: 'refuses' },
  'webhook-throttles': { of: 'webhook', receiver: 'throttles' },
  'webhook-fails': { of: 'webhook', receiver: 'fails' },
  'webhook-is-slow': { of: 'webhook', receiver: 'is-slow' },
  'webhook-hangs': { of: 'webhook', receiver: 'hangs' },
  'webhook-cuts': { of: 'webhook', receiver: 'cuts' },
  'keys-unavailable': { aws: everywhere({ service: 'kms', fault: 'unavailable' }) },
  'roles-unavailable': { aws: everywhere({ service: 'sts', fault: 'unavailable' }) },
  'queues-unavailable': { aws: everywhere({ service: 'sqs', fault: 'unavailable', ratio: 0.3 }) },
  'queues-partial': { aws: everywhere({ service: 'sqs', fault: 'partial', ratio: 0.3 }) },
  'tables-throttled': { aws: everywhere({ service: 'dynamodb', fault: 'throttle', ratio: 0.2 }) },
  'tables-unavailable': { aws: everywhere({ service: 'dynamodb', fault: 'unavailable', ratio: 0.2 }) },
  'tables-answers-lost': {
    aws: everywhere({
      service: 'dynamodb',
      operation: 'TransactWriteItems',
      fault: 'timeout-after',
      ratio: 0.05,
    }),
  },
  'tables-conflicts': { aws: everywhere({ service: 'dynamodb', fault: 'conflict', ratio: 0.2 }) },
} as const satisfies Record<string, SoakFault>;

export type FaultName = keyof typeof catalogue;

export const faultNames = Object.keys(catalogue) as FaultName[];

const faults: Record<FaultName, SoakFault> = catalogue;

/** Without those of targets that get no events. */
export const faultsOf = (names: readonly FaultName[], targets: readonly TargetKind[]): FaultName[] =>
  names.filter((name) => {
    const { of } = faults[name];
    return of === undefined || targets.includes(of);
  });

/** Makes something fail for the duration of the work. */
export async function failing(
  stack: StackFile,
  name: FaultName,
  resources: Resources,
  work: () => Promise<unknown>,
): Promise<void> {
  const fault = faults[name];
  if ('aws' in fault) {
    await withFault(stack, fault.aws(resources), work);
    return;
  }
  const { receiver } = resources;
  if (receiver === undefined) throw new Error(`There is no webhook for ${name}`);
  receiver.fault = fault.receiver;
  try {
    await work();
  } finally {
    receiver.fault = undefined;
  }
}
