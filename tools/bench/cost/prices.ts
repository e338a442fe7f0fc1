import { gigabyte } from './units.ts';

export const regions = ['eu-central-1', 'us-east-1'] as const;
export type Region = (typeof regions)[number];

/** When the prices were last looked up. */
export const lookedUp = '2026-11-21';

/**
 * List prices in USD, first tier, without free tiers, discounts and taxes. A price that is not `verified` is printed with `?`.
 * Look it up at its source before you rely on it.
 */
type Known = { usd: number; verified: boolean };
type Price = { service: string; unit: string; source: string; prices: Record<Region, Known> };

/** Confirmed by a page of AWS, a dated transcript of its price list, or two other sources that agree. */
const read = (usd: number): Known => ({ usd, verified: true });
/** Found in at most one other source. */
const unsure = (usd: number): Known => ({ usd, verified: false });

const price = (service: string, unit: string, source: string, frankfurt: Known, virginia: Known): Price => ({
  service,
  unit,
  source,
  prices: { 'eu-central-1': frankfurt, 'us-east-1': virginia },
});

const page = (name: string): string => `https://aws.amazon.com/${name}/pricing/`;

/** The quantities that the model counts, with the price of the named unit. */
export const prices = {
  httpApiCalls: price('HTTP API', 'million calls', page('api-gateway'), unsure(1.2), read(1)),
  restApiCalls: price('REST API', 'million calls', page('api-gateway'), read(3.7), read(3.5)),
  lambdaRequests: price('Lambda requests', 'million requests', page('lambda'), read(0.2), read(0.2)),
  lambdaGigabyteSeconds: price(
    'Lambda time',
    'million GB-s, arm64',
    page('lambda'),
    read(13.3334),
    read(13.3334),
  ),
  dynamoReads: price('DynamoDB reads', 'million units', page('dynamodb'), read(0.1525), read(0.125)),
  dynamoWrites: price('DynamoDB writes', 'million units', page('dynamodb'), read(0.7625), read(0.625)),
  dynamoStorage: price('DynamoDB storage', 'GB-month', page('dynamodb'), read(0.306), read(0.25)),
  dynamoBackup: price('DynamoDB recovery', 'GB-month', page('dynamodb'), read(0.2448), read(0.2)),
  snsRequests: price('SNS requests', 'million of 64 KB', page('sns'), read(0.5), read(0.5)),
  snsPushes: price('SNS mobile push', 'million pushes', page('sns'), unsure(0.5), unsure(0.5)),
  sqsRequests: price('SQS requests', 'million of 64 KB', page('sqs'), read(0.4), unsure(0.4)),
  logBytes: price('Logs, ingested', 'GB', page('cloudwatch'), read(0.63), read(0.5)),
  traces: price('X-Ray traces', 'million recorded', page('xray'), read(5), read(5)),
  transferBytes: price('Data out', 'GB', page('ec2'), unsure(0.09), read(0.09)),
  cloudFrontRequests: price(
    'CloudFront requests',
    'million over HTTPS',
    page('cloudfront'),
    unsure(1.2),
    unsure(1),
  ),
  cloudFrontBytes: price('CloudFront, out', 'GB', page('cloudfront'), read(0.085), read(0.085)),
  s3Reads: price('S3 reads', 'million requests', page('s3'), unsure(0.43), unsure(0.4)),
  secrets: price('Secrets Manager, secret', 'secret-month', page('secrets-manager'), read(0.4), read(0.4)),
  secretReads: price('Secrets Manager, reads', 'million requests', page('secrets-manager'), read(5), read(5)),
  firehoseBytes: price('Firehose', 'GB, records by 5 KB', page('firehose'), unsure(0.033), unsure(0.029)),
  kinesisBytes: price(
    'Kinesis on demand, in',
    'GB, records by 1 KB',
    page('kinesis/data-streams'),
    unsure(0.095),
    unsure(0.08),
  ),
  metrics: price('Metrics', 'metric-month', page('cloudwatch'), unsure(0.3), unsure(0.3)),
  metricsRead: price('Metrics, read', 'million metrics', page('cloudwatch'), unsure(10), read(10)),
  alarms: price('Alarms', 'metric of an alarm, month', page('cloudwatch'), unsure(0.1), unsure(0.1)),
  kmsKeys: price('KMS, own key', 'key-month', page('kms'), unsure(1), unsure(1)),
  kmsRequests: price('KMS requests', 'million requests', page('kms'), unsure(3), unsure(3)),
  kmsSignatures: price('KMS signatures', 'million, elliptic curves', page('kms'), unsure(15), unsure(15)),
  cognitoClients: price('Cognito, machine client', 'client-month', page('cognito'), unsure(6), read(6)),
  cognitoTokens: price('Cognito, tokens', 'thousand', page('cognito'), unsure(2.25), read(2.25)),
} as const satisfies Record<string, Price>;

export type Quantity = keyof typeof prices;

/** What the model counts in the unit of a price: the unit begins with the name of its size. */
function unitSize(unit: string): number {
  if (unit.startsWith('million')) return 1_000_000;
  if (unit.startsWith('thousand')) return 1_000;
  return unit.startsWith('GB') ? gigabyte : 1;
}

/** USD for an amount of a quantity; storage is in byte-months. */
export function costOf(quantity: Quantity, amount: number, region: Region): number {
  const { unit, prices: known } = prices[quantity];
  return (amount / unitSize(unit)) * known[region].usd;
}
