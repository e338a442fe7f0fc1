import { indexShards } from '../../../core/events/event-keys.ts';
import type { Demand } from './load.ts';
import type { Region } from './prices.ts';
import { dynamoGuide, guide, newTableWrites, partitionWrites, rate, type Load, type Quota } from './quota.ts';

const cognitoGuide = guide('cognito/latest/developerguide/quotas.html');
const iamGuide = guide('IAM/latest/UserGuide/reference_iam-quotas.html');
const firehoseGuide = guide('firehose/latest/dev/limits.html');
const verified = true;

/** Half of the tenants have streams and half of them buckets, for both categories. */
const bucketTenants = ({ tenants }: Load): number => tenants / 2;
const streamTenants = ({ tenants }: Load): number => tenants / 2;
/** Processes of a website. Each keeps its own token, which lives for an hour. */
export const websiteProcesses = 4;
/** Credentials live for an hour and are renewed five minutes before their end. */
const credentialSeconds = 3_300;

/** Each shard of the stream has an exporter, which keeps credentials for the tenants of its events. */
const exporters = (load: Load, { writes }: Demand): number =>
  Math.max(newTableWrites / partitionWrites, Math.ceil(rate(load, writes.events) / partitionWrites));

/** The quotas that the number of tenants may reach. */
export const tenantQuotas = (): Quota[] => [
  {
    name: 'IAM: roles of the account (one for each tenant with a bucket)',
    limit: 1_000,
    unit: 'roles',
    source: iamGuide,
    verified: false,
    remedy: 'Request 5,000, then use another account for new tenants.',
    needed: (load) => bucketTenants(load) + 20,
  },
  {
    name: 'Firehose: delivery streams (two for each tenant with a bucket)',
    limit: 5_000,
    unit: 'streams',
    source: guide('general/latest/gr/fh.html'),
    verified,
    remedy: 'Request an increase, then use another account or region for new tenants.',
    needed: (load) => 2 * bucketTenants(load),
  },
  {
    name: 'Cognito: clients of a user pool',
    limit: 1_000,
    unit: 'clients',
    source: cognitoGuide,
    verified: false,
    remedy: 'Request up to 10,000, or use your own issuer (`identity.kind: "oidc"`).',
    needed: (load) => load.tenants,
  },
  {
    name: 'Cognito: tokens',
    limit: 150,
    unit: 'tokens/s',
    source: cognitoGuide,
    verified: false,
    remedy: 'Websites must reuse a token for its lifetime of an hour.',
    needed: (load) => (load.tenants * websiteProcesses) / 3_600,
  },
  {
    name: 'STS: roles assumed for streams',
    limit: 600,
    unit: 'calls/s',
    source: iamGuide,
    verified,
    remedy: 'It cannot be increased. Have fewer tenants in an account.',
    needed: (load, demanded) => (exporters(load, demanded) * streamTenants(load)) / credentialSeconds,
  },
];

/** Limits of one tenant in confirmations per second, independent of the account's limits. */
export const tenantLimits = (region: Region, { indexWrites, eventBytes }: Demand) => [
  {
    name: "DynamoDB: the tenant's partitions of the index of events",
    limit: (indexShards * partitionWrites) / indexWrites,
    source: dynamoGuide,
    remedy: 'Use more shards (`indexShards`).',
  },
  {
    name: "Firehose: the delivery stream of the tenant's public events",
    limit: ((region === 'us-east-1' ? 5 : 1) * 1024 ** 2) / eventBytes,
    source: firehoseGuide,
    remedy: 'Request an increase for that stream. Throttled events are parked and follow later.',
  },
];
