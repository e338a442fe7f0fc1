import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  ListTagsForDeliveryStreamCommand,
  ResourceNotFoundException,
  type DeliveryStreamDescription,
  type Tag,
} from '@aws-sdk/client-firehose';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { RateLimiter } from '../../core/aws/rate-limiter.ts';
import {
  controlPlaneClient,
  DeliveryStreamClient,
} from '../../core/export/kinds/bucket/provisioning/delivery-stream-client.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { deliveryStreamNameOf } from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { BucketDestination } from '../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../core/export/kinds/stream/record.ts';
import type { Target } from '../../core/export/targets/target.ts';
import type { Category, TargetRef } from '../../core/events/target-ref.ts';
import {
  provisionTarget,
  type ProvisioningDeps,
} from '../../core/export/kinds/bucket/provisioning/provision-target.ts';
import type { Step } from '../../core/export/kinds/bucket/provisioning/provision-target.ts';
import { createFirehose, type Firehose } from '../../tools/local/aws/stand-ins/firehose/backend.ts';
import type { AwsRequest } from '../../tools/local/aws/endpoint/http.ts';
import * as services from '../../tools/local/aws/protocols/services.ts';
import { startAlone, type Alone } from '../tools/local/aws/clients.ts';
import { testDatabase } from './dynamodb.ts';

export const prefix = 'omi-test-';
export const roleOf = ({ tenantId }: Pick<TargetRef, 'tenantId'>): string =>
  `arn:aws:iam::000000000000:role/omi/test/delivery/omi-test-delivery-${tenantId}`;
export const keyArn = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c-1111-2222-3333-444455556666';

export const streamDestination: StreamDestination = {
  kind: 'stream',
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};

export const nameOf = (ref: TargetRef): string => deliveryStreamNameOf(prefix, ref);

export const bucketOf = (ref: TargetRef, more: Partial<BucketDestination> = {}): BucketDestination => ({
  kind: 'bucket',
  bucket: 'events-of-example',
  deliveryRoleArn: roleOf(ref),
  deliveryStreamName: nameOf(ref),
  ...more,
});

/** Long after anything that happened: nothing is under way any more. */
export const muchLater = (): number => Date.now() + 86_400_000;

/** Far more than it takes. */
const mostSteps = 2_000;

const isCreation = (request: AwsRequest): boolean =>
  services.firehose.describe(request).operation === 'CreateDeliveryStream';

/** Targets in DynamoDB Local, and the local Firehose with its faults and a record of every call. */
export class ProvisioningWorld {
  readonly database: DynamoDBDocumentClient;
  readonly deps: ProvisioningDeps;
  readonly client = new FirehoseClient({});
  readonly #firehose: Firehose;
  readonly #endpoint: Alone;
  readonly #vanishing: Set<string>;

  private constructor(
    database: DynamoDBDocumentClient,
    firehose: Firehose,
    { endpoint, vanishing }: { endpoint: Alone; vanishing: Set<string> },
  ) {
    this.database = database;
    this.#firehose = firehose;
    this.#endpoint = endpoint;
    this.#vanishing = vanishing;
    this.deps = {
      targets: new TargetStore(database, 'tenants'),
      readiness: new TargetReadiness(database, 'tenants'),
      deliveryStreams: new DeliveryStreamClient(controlPlaneClient(), new RateLimiter(0)),
      deliveryStreamPrefix: prefix,
      buffering: { seconds: 300, mebibytes: 5 },
    };
  }

  static async start(settings: { settleMs?: number; limit?: number } = {}): Promise<ProvisioningWorld> {
    const database = await testDatabase({ tenants: 'tenants' });
    const options = { s3Url: 'http://127.0.0.1:9', log: () => undefined, settleMs: 5, ...settings };
    const firehose = createFirehose(options);
    const vanishing = new Set<string>();
    const endpoint = await startAlone(services.firehose, async (request) => {
      const response = await firehose.backend(request);
      // Before anything else happens: the stream is not there yet.
      for (const arn of isCreation(request) ? vanishing : []) firehose.failingArns.add(arn);
      return response;
    });
    process.env['AWS_ENDPOINT_URL_FIREHOSE'] = endpoint.url;
    return new ProvisioningWorld(database, firehose, { endpoint, vanishing });
  }

  get faults(): Alone['faults'] {
    return this.#endpoint.faults;
  }

  /** ARNs of roles and keys that Firehose cannot use. */
  get failingArns(): Set<string> {
    return this.#firehose.failingArns;
  }

  /** ARNs that Firehose can use when it begins to create a stream, and no longer when it ends. */
  get vanishing(): Set<string> {
    return this.#vanishing;
  }

  reset(): void {
    this.faults.clear();
    this.vanishing.clear();
    this.failingArns.clear();
  }

  async close(): Promise<void> {
    await this.#endpoint.close();
    await this.#firehose.close();
  }

  newRef(category: Category = 'log'): TargetRef {
    return { tenantId: randomUUID(), category };
  }

  async bucketTarget(more: Partial<BucketDestination> = {}, category?: Category): Promise<TargetRef> {
    const ref = this.newRef(category);
    await this.deps.targets.register(ref, bucketOf(ref, more), Date.now());
    return ref;
  }

  async target(ref: TargetRef): Promise<Target> {
    const target = await this.deps.targets.find(ref);
    if (!target) throw new Error('There is no such target');
    return target;
  }

  async step(ref: TargetRef, deps: Partial<ProvisioningDeps> = {}, now = Date.now()): Promise<Step> {
    return await provisionTarget({ ...this.deps, ...deps }, ref, { now, requestedAt: 0 });
  }

  /** Steps until nothing is left to do; what the steps did, without those that only waited. */
  async provision(ref: TargetRef, deps: Partial<ProvisioningDeps> = {}, now?: number): Promise<string[]> {
    const outcomes: string[] = [];
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const step = await this.step(ref, deps, now);
      if (step.outcome !== 'settling') outcomes.push(step.outcome);
      if (!('again' in step)) return outcomes;
      await setTimeout(2);
    }
    throw new Error(`There is no end of steps: ${outcomes.slice(-10).join(', ')}`);
  }

  async described(ref: TargetRef): Promise<DeliveryStreamDescription | undefined> {
    try {
      const command = new DescribeDeliveryStreamCommand({ DeliveryStreamName: nameOf(ref) });
      return (await this.client.send(command)).DeliveryStreamDescription;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  async tags(ref: TargetRef): Promise<Tag[] | undefined> {
    const command = new ListTagsForDeliveryStreamCommand({ DeliveryStreamName: nameOf(ref) });
    return (await this.client.send(command)).Tags;
  }

  /** How often this was called for the target's delivery stream. */
  callsOf(operation: string, ref: TargetRef): number {
    const calls = this.#endpoint.calls.list().filter((call) => call.operation === operation);
    return calls.filter(({ resources }) => resources.includes(nameOf(ref))).length;
  }
}
