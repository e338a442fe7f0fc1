import type { Buffering } from '../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { Category, TargetRef } from '../../../core/events/target-ref.ts';
import { localTenants } from './tenants.ts';

/** The stage of the local stack. As in the cloud, names of resources contain it. */
export const stage = 'local';

/** The prefix of delivery streams' names. */
export const deliveryStreamPrefix = `omi-${stage}-`;

/** When Firehose writes an object: sooner than after the five minutes in the cloud. */
export const buffering: Buffering = { seconds: 5, mebibytes: 5 };

/** The initial target of a tenant's events of one category, in the tenant's own account. */
export type LocalExport = TargetRef & { account: string } & (
    | { kind: 'stream'; streamName: string; externalId: string }
    | { kind: 'bucket'; bucket: string; keyId: string }
  );

/** Where the public events of the demo bank go. */
export const bankStream = 'omi-local-demo-bank-public';

const [demo, neighbour, bank] = localTenants;

const ofDemo = (category: Category) => ({ tenantId: demo.tenantId, category, account: '111111111111' });
const ofNeighbour = (category: Category) => ({
  tenantId: neighbour.tenantId,
  category,
  account: '222222222222',
  kind: 'bucket' as const,
  bucket: 'omi-local-neighbour-events',
  keyId: '1f6c2a57-9b0e-4d83-a7c4-5e21d0b8f936',
});

export const localExports: readonly LocalExport[] = [
  {
    ...ofDemo('public'),
    kind: 'stream',
    streamName: 'omi-local-demo-public',
    externalId: 'demo-4c9e02b7a15f8d36',
  },
  {
    ...ofDemo('log'),
    kind: 'bucket',
    bucket: 'omi-local-demo-log',
    keyId: '8d3b7e90-4a1c-4f26-b5d8-c60e97f2a148',
  },
  ofNeighbour('public'),
  ofNeighbour('log'),
  {
    tenantId: bank.tenantId,
    category: 'public',
    account: '333333333333',
    kind: 'stream',
    streamName: bankStream,
    externalId: 'demo-bank-7b1d94e3f0a62c58',
  },
];
