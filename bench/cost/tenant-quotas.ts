import { indexShards } from '../../core/events/event-keys.ts';
import type { Demand } from './load.ts';
import type { Region } from './prices.ts';
import { dynamoGuide, guide, newTableWrites, partitionWrites, rate, type Load, type Quota } from './quota.ts';

const cognitoGuide = guide('cognito/latest/developerguide/quotas.html');
const iamGuide = guide('IAM/latest/UserGuide/reference_iam-quotas.html');
const firehoseGuide = guide('firehose/latest/dev/limits.html');
const verified = true;

/** Half of the tenants take streams, half of them buckets, for both categories. */
const bucketTenants = ({ tenants }: Load): number => tenants / 2;
const streamTenants = ({ tenants }: Load): number => tenants / 2;
/** Processes of a website that keep a token each, of an hour. */
export const websiteProcesses = 4;
/** Credentials are renewed five minutes before their hour is over. */
const credentialSeconds = 3_300;

/** Each shard of the stream has an exporter, which keeps credentials for the tenants that it meets. */
const exporters = (load: Load, { writes }: Demand): number =>
  Math.max(newTableWrites / partitionWrites, Math.ceil(rate(load, writes.events) / partitionWrites));

/** Those that the number of tenants meets. */
export const tenantQuotas = (): Quota[] => [
  {
    name: 'IAM: roles of the account (one for each tenant with a bucket)',
    limit: 1_000,
    unit: 'roles',
    source: iamGuide,
    verified: false,
    remedy: 'Ask for 5,000; then another account for the next tenants.',
    needed: (load) => bucketTenants(load) + 20,
  },
  {
    name: 'Firehose: delivery streams (two for each tenant with a bucket)',
    limit: 5_000,
    unit: 'streams',
    source: guide('general/latest/gr/fh.html'),
    verified,
    remedy: 'Ask for more; then another account or region for the next tenants.',
    needed: (load) => 2 * bucketTenants(load),
  },
  {
    name: 'Cognito: clients of a user pool',
    limit: 1_000,
    unit: 'clients',
    source: cognitoGuide,
    verified: false,
    remedy: 'Ask for up to 10,000, or name an issuer of your own (`identity.kind: "oidc"`).',
    needed: (load) => load.tenants,
  },
  {
    name: 'Cognito: tokens',
    limit: 150,
    unit: 'tokens/s',
    source: cognitoGuide,
    verified: false,
    remedy: 'Websites must keep their tokens for the hour that they live.',
    needed: (load) => (load.tenants * websiteProcesses) / 3_600,
  },
  {
    name: 'STS: roles assumed for streams',
    limit: 600,
    unit: 'calls/s',
    source: iamGuide,
    verified,
    remedy: 'Cannot be raised: fewer tenants in an account.',
    needed: (load, demanded) => (exporters(load, demanded) * streamTenants(load)) / credentialSeconds,
  },
];

/** What one tenant alone may reach, in confirmations a second, however much the account may. */
export const tenantLimits = (region: Region, { indexWrites, eventBytes }: Demand) => [
  {
    name: "DynamoDB: the tenant's partitions of the index of events",
    limit: (indexShards * partitionWrites) / indexWrites,
    source: dynamoGuide,
    remedy: 'More shards (`indexShards`).',
  },
  {
    name: "Firehose: the delivery stream of the tenant's public events",
    limit: ((region === 'us-east-1' ? 5 : 1) * 1024 ** 2) / eventBytes,
    source: firehoseGuide,
    remedy: 'Ask for more for that stream; what does not get through is parked, and follows.',
  },
];
