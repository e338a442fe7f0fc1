/** What the model cannot count: prices, assumptions and AWS's default quotas. */
export const regions = ['eu-central-1', 'us-east-1'] as const;
export type Region = (typeof regions)[number];

/** When the prices were last looked up. */
export const lookedUp = '2026-11-21';

/**
 * List prices in USD by region, first tier, without free tiers, discounts and taxes. A price in quotes is not verified: it was
 * found in at most one source besides AWS's pages. Look it up before you rely on it.
 */
export const prices = {
  httpApiCalls: ['HTTP API', 'million calls', 'api-gateway', '1.2', 1],
  restApiCalls: ['REST API', 'million calls', 'api-gateway', 3.7, 3.5],
  lambdaRequests: ['Lambda requests', 'million requests', 'lambda', 0.2, 0.2],
  lambdaGigabyteSeconds: ['Lambda time', 'million GB-s, arm64', 'lambda', 13.3334, 13.3334],
  dynamoReads: ['DynamoDB reads', 'million units', 'dynamodb', 0.1525, 0.125],
  dynamoWrites: ['DynamoDB writes', 'million units', 'dynamodb', 0.7625, 0.625],
  dynamoStorage: ['DynamoDB storage', 'GB-month', 'dynamodb', 0.306, 0.25],
  dynamoBackup: ['DynamoDB recovery', 'GB-month', 'dynamodb', 0.2448, 0.2],
  backupBytes: ['AWS Backup, tables', 'GB-month', 'backup', '0.1224', '0.1'],
  copiedBytes: ['AWS Backup, to another region', 'GB', 'backup', '0.02', '0.02'],
  snsRequests: ['SNS requests', 'million of 64 KB', 'sns', 0.5, 0.5],
  snsPushes: ['SNS mobile push', 'million pushes', 'sns', '0.5', '0.5'],
  sqsRequests: ['SQS requests', 'million of 64 KB', 'sqs', 0.4, '0.4'],
  logBytes: ['Logs, ingested', 'GB', 'cloudwatch', 0.63, 0.5],
  traces: ['X-Ray traces', 'million recorded', 'xray', 5, 5],
  transferBytes: ['Data out', 'GB', 'ec2', '0.09', 0.09],
  cloudFrontRequests: ['CloudFront requests', 'million over HTTPS', 'cloudfront', '1.2', '1'],
  cloudFrontBytes: ['CloudFront, out', 'GB', 'cloudfront', 0.085, 0.085],
  s3Reads: ['S3 reads', 'million requests', 's3', '0.43', '0.4'],
  secrets: ['Secrets Manager, secret', 'secret-month', 'secrets-manager', 0.4, 0.4],
  secretReads: ['Secrets Manager, reads', 'million requests', 'secrets-manager', 5, 5],
  firehoseBytes: ['Firehose', 'GB, records by 5 KB', 'firehose', '0.033', '0.029'],
  kinesisBytes: ['Kinesis on demand, in', 'GB, records by 1 KB', 'kinesis/data-streams', '0.095', '0.08'],
  busEvents: ['EventBridge events', 'million of 64 KB', 'eventbridge', 1, 1],
  metrics: ['Metrics', 'metric-month', 'cloudwatch', '0.3', '0.3'],
  metricsRead: ['Metrics, read', 'million metrics', 'cloudwatch', '10', 10],
  alarms: ['Alarms', 'metric of an alarm, month', 'cloudwatch', '0.1', '0.1'],
  dashboards: ['Dashboard', 'dashboard-month', 'cloudwatch', '3', '3'],
  kmsKeys: ['KMS, own key', 'key-month', 'kms', '1', '1'],
  kmsRequests: ['KMS requests', 'million requests', 'kms', '3', '3'],
  kmsSignatures: ['KMS signatures', 'million, elliptic curves', 'kms', '15', '15'],
  cognitoClients: ['Cognito, machine client', 'client-month', 'cognito', '6', 6],
  cognitoTokens: ['Cognito, tokens', 'thousand', 'cognito', '2.25', 2.25],
} as const;

export type Quantity = keyof typeof prices;

/** A deployment's own figures are in its `REPORT` lines and metrics. */
export const assumptions = {
  polls: 10,
  /** Each end of a confirmation is sent to the website's callback. */
  callbacks: false,
  api: 'http' as 'http' | 'rest',
  /** A Lambda's function URL costs nothing more than the Lambda. It has no authorizer and no access log. */
  pollsBy: 'api' as 'api' | 'function-url',
  /** Share of the website's calls for which API Gateway has no cached answer of the authorizer. */
  authorizerMisses: 0.01,
  megabytes: 1_024,
  /** Records in a batch of a stream, or messages in a batch of a queue. It grows with the load and is 1 without load. */
  batch: 10,
  /** Traced share of the invocations. X-Ray's default rule also traces the first one in each second. */
  traced: 0.05,
  /** Lambda logs its own lines for each invocation. */
  systemLogs: false,
  /** What the index of the events table copies: whole items, or the keys with the types and ids. */
  indexProjection: 'keys' as 'all' | 'keys',
  /** The tenant's setting: events of answers have the evidence, the context and the receipt. */
  evidenceInEvents: false,
};
export type Assumptions = typeof assumptions;

/** Billed milliseconds of a warm Lambda of 1,024 MB, mostly for waiting on DynamoDB, SNS and, in `callback`, websites. */
export const milliseconds = {
  ...{ authorize: 8, list: 7, send: 45, poll: 6, fetch: 14, answer: 24, alarm: 12, callback: 250 },
  ...{ record: 30, schedule: 15, export: 60, cibaAsk: 50, cibaPoll: 14, cibaRedeem: 40, webPush: 100 },
};

/** Share of the invocations, and additional milliseconds of each. */
export const coldStarts = { share: 0.005, milliseconds: 300 };

/** Bytes of log lines with the 26 that CloudWatch adds: Lambda's two lines, one of ours, a metric, and API Gateway's. */
export const lines = { invocation: 601, application: 601, metric: 264, access: 312 };

/** What a device of the web app loads. Its browser asks for two files when the app is opened, and gets 304 with headers. */
export const web = { pushBytes: 1_500, filesOfAnOpening: 2, unchangedBytes: 1_100, settingsBytes: 1_500 };
export const firstLoad = { files: 10, bytes: 120_000 };

export const onRestApi: Partial<Assumptions> = { api: 'rest', authorizerMisses: 1 };
export const withCallbacks: Partial<Assumptions> = { polls: 0, callbacks: true };
const cheap: Partial<Assumptions> = { traced: 0, megabytes: 512 };

/** Other loads, and changes that the service does not have. */
export const variants: Record<string, Partial<Assumptions>> = {
  'as it is': {},
  'little load: batches of one, every traced call recorded': { batch: 1, traced: 1 },
  "with Lambda's own start and report lines": { systemLogs: true },
  'whole items in the index of events': { indexProjection: 'all' },
  'evidence in events': { evidenceInEvents: true },
  'no tracing': { traced: 0 },
  'Lambdas of 512 MB, if they were as fast': { megabytes: 512 },
  'both: no tracing, and Lambdas of 512 MB': cheap,
  "polls through a Lambda's function URL": { pollsBy: 'function-url' },
  '5 polls': { polls: 5 },
  'callbacks, and no polls': withCallbacks,
  'all of these savings': { ...cheap, pollsBy: 'function-url', polls: 5 },
};

const guide = 'https://docs.aws.amazon.com/';
const dynamo = `${guide}amazondynamodb/latest/developerguide/ServiceQuotas.html`;
const cognito = `${guide}cognito/latest/developerguide/quotas.html`;
const iam = `${guide}IAM/latest/UserGuide/reference_iam-quotas.html`;

/** Name (`(?)`: not verified), default, unit, what is needed of it, source, and what to do before it is reached. */
export const quotas = (region: Region, alarmsPerSecond: number): string => `
API: the stage's own throttle|1000|calls/s|apiCalls|\`lib/config.ts\`|Set \`api.throttle\` of the stage.
API Gateway: calls of the account|10000|calls/s|apiCalls|<${guide}apigateway/latest/developerguide/limits.html>|Request an increase, then use one account and base URL for each group of tenants.
SNS: publishes of the account|${region === 'us-east-1' ? 30_000 : 1_500}|messages/s|pushes|<${guide}general/latest/gr/sns.html>|Request an increase, or choose a region with a higher quota.
Lambda: concurrency of the account|1000|at once|lambdaSeconds|<${guide}lambda/latest/dg/gettingstarted-limits.html>|Request an increase.
Lambda: calls of a function (the poll) (?)|10000|calls/s|polls|<${guide}lambda/latest/dg/lambda-concurrency.html>|It is ten times the concurrency and rises with it.
Expiry alarms: our own concurrency|${alarmsPerSecond}|messages/s|alarms|\`lambdas/event-sources.ts\`|Raise \`maxConcurrency\` of \`expire-confirmation\`, up to 1,000.
DynamoDB: writes to events|40000|units/s|writes events|<${dynamo}>|Request an increase. The keys spread over all partitions.
DynamoDB: writes to a new events table|4000|units/s|writes events|<${guide}amazondynamodb/latest/developerguide/on-demand-capacity-mode.html>|Grow slowly, or set the warm throughput before.
DynamoDB: writes to the index of events|40000|units/s|indexWrites|<${dynamo}>|Request an increase.
DynamoDB: writes to confirmations|40000|units/s|writes confirmations|<${dynamo}>|Request an increase. The keys spread over all partitions.
DynamoDB: reads of confirmations|40000|units/s|reads confirmations|<${dynamo}>|Request an increase.
DynamoDB: writes to devices|40000|units/s|writes devices|<${dynamo}>|Request an increase. The keys spread over all partitions.
IAM: roles of the account (the stage's own, and one for each tenant with a bucket) (?)|1000|roles|roles|<${iam}>|Request 5,000, then use another account for new tenants.
Firehose: delivery streams (two for each tenant with a bucket)|5000|streams|deliveryStreams|<${guide}general/latest/gr/fh.html>|Request an increase, then use another account or region for new tenants.
Cognito: clients of a user pool (?)|1000|clients|tenants|<${cognito}>|Request up to 10,000, or use your own issuer (\`identity.kind: "oidc"\`).
Cognito: tokens (?)|150|tokens/s|tokens|<${cognito}>|Websites must reuse a token for its lifetime of an hour.
STS: roles assumed for streams|600|calls/s|roleCalls|<${iam}>|It cannot be increased. Have fewer tenants in an account.`;
