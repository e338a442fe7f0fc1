import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Where the measured Lambdas and commands find DynamoDB, and with which access key. */
export type Database = { endpoint: string; accessKeyId: string };

/** The rest of AWS, and the tenants' receivers. */
export type Surroundings = { url: string; webhooks: string; close: () => Promise<void> };

export async function startSurroundings(): Promise<Surroundings> {
  const worker = new Worker(new URL('aws.ts', import.meta.url));
  const [url] = (await once(worker, 'message')) as [string];
  return { url, webhooks: `${url}/webhooks`, close: async () => void (await worker.terminate()) };
}

const services = ['FIREHOSE', 'KINESIS', 'KMS', 'S3', 'SQS', 'STS'];

/** The environment of the Lambdas, which they read when they are loaded. */
export const environmentIn = (
  { endpoint, accessKeyId }: Database,
  { url }: Surroundings,
  table: string,
): Record<string, string> => ({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, url])),
  TENANTS_TABLE: table,
  PARKING_QUEUE_URL: `${url}/parking.fifo`,
  UNDELIVERABLE_QUEUE_URL: `${url}/undeliverable`,
  VERIFICATIONS_QUEUE_URL: `${url}/verifications`,
  SECRETS_KEY_ID: 'alias/bench',
  OUTBOUND_LOOPBACK: 'allowed',
  POWERTOOLS_METRICS_NAMESPACE: 'omi',
  POWERTOOLS_METRICS_DISABLED: 'true',
});
