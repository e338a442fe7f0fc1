import { randomUUID } from 'node:crypto';
import { CreateStreamCommand, DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { sendTestEvent } from '../../core/export/delivery/send-test-event.ts';
import { createTenantWriters } from '../../core/export/kinds/tenant-writers.ts';
import { createProbes } from '../../core/export/kinds/probes.ts';
import { GivenUpEvents } from '../../core/export/targets/given-up-store.ts';
import { LastTestStore } from '../../core/export/targets/last-test-store.ts';
import type { TestMessage } from '../../core/export/verification/test-record.ts';
import { TargetReadiness } from '../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { localKeys } from '../../tools/local/resources/kms-keys.ts';
import type { BucketDestination } from '../../core/export/kinds/bucket/record.ts';
import type { Destination } from '../../core/export/kinds/records.ts';
import type { StreamDestination } from '../../core/export/kinds/stream/record.ts';
import type { Target, TestEvent } from '../../core/export/targets/target.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import {
  deliveryPolicy,
  deliveryRoleArnOf,
  deliveryTrustPolicy,
  exporterRoleArnsOf,
  verifierRoleArnOf,
} from '../../core/export/kinds/policies/operator-roles.ts';
import type { PolicyDocument } from '../../core/export/kinds/policies/policy-document.ts';
import { streamDocuments } from '../../core/export/kinds/stream/stream-documents.ts';
import {
  verifyTarget,
  type Verification,
  type VerificationDeps,
} from '../../core/export/verification/verify-target.ts';
import type { Backend } from '../../tools/local/aws/endpoint/http.ts';
import { AwsServiceError } from '../../tools/local/aws/protocols/errors.ts';
import * as services from '../../tools/local/aws/protocols/services.ts';
import { startAlone } from '../tools/local/aws/clients.ts';
import { ExportWorld } from './export-world.ts';
import { until } from './waiting.ts';

const env = { SECRETS_KEY_ID: localKeys.secrets, OUTBOUND_LOOPBACK: 'allowed' } as const;
const operator = { stage: 'test', region: 'eu-central-1', account: '000000000000' };

/** The policies of a tenant's role, for a test to change. */
type RolePolicies = { trustPolicy: PolicyDocument; permissionPolicy: PolicyDocument };

/** Tenants' roles, streams and buckets on the local AWS, and the Lambda's own role to reach them by. */
export class VerificationWorld {
  readonly exports: ExportWorld;
  readonly deps: VerificationDeps;
  readonly targets: TargetStore;
  readonly readiness: TargetReadiness;
  readonly reports: GivenUpEvents;
  readonly #s3 = new S3Client({ forcePathStyle: true });

  private constructor(exports: ExportWorld) {
    this.exports = exports;
    this.targets = new TargetStore(exports.dynamodb, 'tenants');
    this.readiness = new TargetReadiness(exports.dynamodb, 'tenants');
    this.reports = new GivenUpEvents(exports.dynamodb, 'tenants');
    const writers = createTenantWriters({ ...env, BASE_URL: 'https://omi.example.org' });
    this.deps = {
      targets: this.targets,
      readiness: this.readiness,
      lastTests: new LastTestStore(exports.dynamodb, 'tenants'),
      probes: this.probesWith(this.readiness),
      sendEvent: async (...event) => await sendTestEvent(writers, ...event),
    };
  }

  probesWith(readiness: TargetReadiness): VerificationDeps['probes'] {
    return createProbes(env, { readiness, reports: this.reports });
  }

  static async start(): Promise<VerificationWorld> {
    const exports = await ExportWorld.start();
    // Every call is the Lambda's, as the trust policies know it.
    exports.cloud.sessions.bind('EXPORTER', verifierRoleArnOf(operator));
    return new VerificationWorld(exports);
  }

  get faults() {
    return this.exports.cloud.faults;
  }

  async close(): Promise<void> {
    await this.exports.close();
  }

  /** A registered target whose tenant did everything that the published policies ask for. */
  async streamTarget(): Promise<{ ref: TargetRef; name: string; destination: StreamDestination }> {
    const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
    const name = `stream-${ref.tenantId}`;
    const { kinesis } = this.exports;
    await kinesis.send(new CreateStreamCommand({ StreamName: name, ShardCount: 1 }));
    await until(async () => {
      const { StreamDescriptionSummary } = await kinesis.send(
        new DescribeStreamSummaryCommand({ StreamName: name }),
      );
      return StreamDescriptionSummary?.StreamStatus === 'ACTIVE';
    });
    const destination: StreamDestination = {
      kind: 'stream',
      streamArn: `arn:aws:kinesis:eu-central-1:000000000000:stream/${name}`,
      roleArn: `arn:aws:iam::000000000000:role/${ref.tenantId}`,
      externalId: `agreed-${randomUUID()}`,
      lanes: 2,
    };
    this.putRole(destination);
    await this.register(ref, destination);
    return { ref, name, destination };
  }

  /** The tenant's role, as published, or as the tenant changed it. */
  putRole(
    destination: StreamDestination,
    change: (policies: RolePolicies) => RolePolicies = (its) => its,
  ): void {
    const { streamArn, externalId, roleArn } = destination;
    const operatorRoleArns = exporterRoleArnsOf(operator);
    const documents = streamDocuments({ kind: 'stream', streamArn, externalId, operatorRoleArns });
    const { trustPolicy, permissionPolicy } = change(documents);
    this.exports.cloud.roles.put({
      arn: roleArn,
      trustPolicy: JSON.stringify(trustPolicy),
      policies: { write: JSON.stringify(permissionPolicy) },
    });
  }

  /** The same for a bucket, with the operator's delivery role; where the bucket is, is up to the key's ARN. */
  async bucketTarget(options: { exists?: boolean; keyRegion?: string; bucket?: string } = {}) {
    const { exists = true, keyRegion = 'eu-central-1' } = options;
    const ref: TargetRef = { tenantId: randomUUID(), category: 'log' };
    const destination: BucketDestination = {
      kind: 'bucket',
      bucket: options.bucket ?? `bucket-${ref.tenantId}`,
      kmsKeyArn: `arn:aws:kms:${keyRegion}:111122223333:key/${randomUUID()}`,
      deliveryRoleArn: deliveryRoleArnOf(operator, ref.tenantId),
      deliveryStreamName: `omi-test-${ref.tenantId}-log`,
    };
    if (exists) await this.#s3.send(new CreateBucketCommand({ Bucket: destination.bucket }));
    this.putDeliveryRole(destination);
    await this.register(ref, destination);
    await this.readiness.provisioned(await this.target(ref), Date.now());
    return { ref, destination };
  }

  /** @param policy as an earlier version, or a hand, made it */
  putDeliveryRole(
    { deliveryRoleArn, ...target }: BucketDestination,
    policy: PolicyDocument = deliveryPolicy(target),
  ): void {
    this.exports.cloud.roles.put({
      arn: deliveryRoleArn,
      trustPolicy: JSON.stringify(deliveryTrustPolicy(operator)),
      policies: { write: JSON.stringify(policy) },
    });
  }

  /** A bucket that its owner deleted, and whose name another account took. */
  async takeOver({ bucket }: BucketDestination, account: string): Promise<void> {
    const { Contents = [] } = await this.#s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    for (const { Key } of Contents) await this.#s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    await this.#s3.send(new DeleteBucketCommand({ Bucket: bucket }));
    const credentials = { accessKeyId: account, secretAccessKey: 'any' };
    const as = new S3Client({ forcePathStyle: true, credentials });
    await as.send(new CreateBucketCommand({ Bucket: bucket }));
    as.destroy();
  }

  async objectsIn({ bucket }: BucketDestination): Promise<number> {
    return (await this.#s3.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount ?? 0;
  }

  async register(ref: TargetRef, destination: Destination): Promise<void> {
    await this.targets.register(ref, destination, Date.now());
  }

  async target(ref: TargetRef): Promise<Target> {
    return await this.exports.target(ref);
  }

  async verify(
    ref: TargetRef,
    more: {
      proof?: string;
      event?: TestEvent;
      deps?: Partial<VerificationDeps>;
      now?: number;
      message?: Partial<TestMessage>;
    } = {},
  ) {
    const { proof, event, deps, now = Date.now() } = more;
    const message = { id: randomUUID(), sentAt: now, receives: 1, ...more.message };
    return await verifyTarget({ ...this.deps, ...deps }, { ...ref, proof, event, message }, () => now);
  }

  /** What the outcome says, and what the record does. */
  async tested(ref: TargetRef, proof?: string) {
    const verification: Verification = await this.verify(ref, proof === undefined ? {} : { proof });
    const { state, fault, verifiedAt } = await this.target(ref);
    const isVerified = verifiedAt !== undefined;
    return { outcome: verification.outcome, state, isVerified, code: fault?.code, actor: fault?.actor };
  }

  /** An object, as Firehose puts it there. */
  async put({ bucket }: BucketDestination, key: string, Body = '{}\n'): Promise<void> {
    await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body }));
  }

  /** A text of the bucket, as its owner reads it. */
  async read(ref: TargetRef, key: string): Promise<string | undefined> {
    try {
      const { Body } = await this.#s3.send(
        new GetObjectCommand({ Bucket: `bucket-${ref.tenantId}`, Key: key }),
      );
      return await Body?.transformToString();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  /** What the owner of the bucket tells the operator. */
  async challengeOf(ref: TargetRef): Promise<string> {
    const { ownership } = await this.target(ref);
    return (await this.read(ref, ownership?.object ?? '')) ?? '';
  }

  /** A target that is live: tested, and its ownership proven where it is a bucket. */
  async goLive(ref: TargetRef): Promise<void> {
    if ((await this.verify(ref)).outcome !== 'verified')
      await this.verify(ref, { proof: await this.challengeOf(ref) });
    if ((await this.target(ref)).state !== 'active') throw new Error('The target did not go live');
  }

  /** During this, a service answers by a stand-in of the test's own. */
  async answering<T>(service: 's3' | 'kinesis', backend: Backend, act: () => Promise<T>): Promise<T> {
    const alone = await startAlone(services[service], backend);
    const name = `AWS_ENDPOINT_URL_${service.toUpperCase()}`;
    const before = process.env[name];
    process.env[name] = alone.url;
    try {
      return await act();
    } finally {
      process.env[name] = before;
      await alone.close();
    }
  }
}

/** Refuses these operations, and has nothing to say to the others. */
export const refusing =
  (
    service: 's3' | 'kinesis',
    operations: string[],
    [code, message]: [string, string],
    status = 400,
  ): Backend =>
  (request) => {
    const { operation } = services[service].describe(request);
    if (operations.includes(operation)) throw new AwsServiceError(status, code, message);
    return { status: 200, headers: { 'x-amz-bucket-region': 'eu-central-1' }, body: '' };
  };

/** Gives these answers, by operation. */
export const answeringJson =
  (answers: Record<string, object>): Backend =>
  (request) => {
    const { operation } = services.kinesis.describe(request);
    return { status: 200, headers: {}, body: JSON.stringify(answers[operation] ?? {}) };
  };
