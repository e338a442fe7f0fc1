import { join } from 'node:path';
import { createCallLog } from './endpoint/call-log.ts';
import type { Emulator } from './emulators/child-process.ts';
import type { LocalCloudOptions } from './cloud.ts';
import { startDynamoDb } from './emulators/dynamodb-local/start.ts';
import type { ServiceName } from './endpoint/fault-schema.ts';
import { createFaults } from './endpoint/faults.ts';
import { startFauxqs } from './emulators/fauxqs/start.ts';
import { createFirehose } from './stand-ins/firehose/backend.ts';
import { forwardTo } from './emulators/forward.ts';
import { startEndpoint } from './endpoint/endpoint.ts';
import type { Backend } from './endpoint/http.ts';
import { withAuthorization } from './stand-ins/iam/authorization.ts';
import { deliveryAccess } from './stand-ins/iam/delivery-access.ts';
import { withAccounts } from './emulators/kinesis-local/patches/stream-accounts.ts';
import { withLimits } from './emulators/kinesis-local/patches/batch-limit.ts';
import { startKinesis } from './emulators/kinesis-local/start.ts';
import type { LoopbackOptions } from '../server/loopback-server.ts';
import { withBucketAccounts } from './emulators/fauxqs/patches/bucket-accounts.ts';
import { withSubresources } from './emulators/fauxqs/patches/bucket-subresources.ts';
import { createSns } from './stand-ins/sns/backend.ts';
import { createRoles, type Roles } from './stand-ins/iam/roles.ts';
import { createSessions } from './stand-ins/sts/sessions.ts';
import * as services from './protocols/services.ts';

type Closing = () => Promise<void> | void;

/** What is started together, and ends in the opposite order. */
export class CloudServices {
  readonly faults = createFaults();
  readonly calls = createCallLog();
  readonly sessions = createSessions();
  readonly endpoints: Partial<Record<ServiceName, string>> = {};
  readonly roles: Roles;
  readonly sns: ReturnType<typeof createSns>;
  readonly crashed: Promise<string>;
  private readonly options: LocalCloudOptions;
  private readonly closing: Closing[] = [];
  private closed: Promise<void> | undefined;
  private bucketOwner: (bucket: string) => string | undefined = () => undefined;
  private tellCrash: (what: string) => void = () => undefined;

  constructor(options: LocalCloudOptions) {
    this.options = options;
    this.crashed = new Promise((resolve) => (this.tellCrash = resolve));
    this.roles = createRoles(this.kept('roles.json'));
    this.sns = createSns(this.kept('sns.json'));
    this.closing.push(this.roles.flush, this.sns.flush);
  }

  async startDynamoDb(): Promise<void> {
    const dataDirectory = this.kept('dynamodb');
    const dynamodb = await startDynamoDb({ sharedDb: true, ...(dataDirectory ? { dataDirectory } : {}) });
    await this.endpoint('dynamodb', this.behind('DynamoDB Local (Java)', dynamodb));
  }

  async startKinesis(): Promise<void> {
    const kinesis = await startKinesis(this.kept('kinesis'));
    const emulator = this.behind('The Kinesis emulator', kinesis);
    const accounts = withAccounts(emulator, this.sessions, this.kept('stream-accounts.json'));
    this.closing.push(accounts.flush);
    await this.endpoint('kinesis', withLimits(accounts.backend), { http2: true });
  }

  /** SQS, S3, and Firehose, which writes to S3. */
  async startStorage(): Promise<void> {
    const { log } = this.options;
    const fauxqs = await startFauxqs(this.kept('fauxqs'));
    this.closing.push(fauxqs.close);
    await this.endpoint('sqs', fauxqs.sqs);
    const buckets = withBucketAccounts(
      withSubresources(fauxqs.s3),
      this.sessions,
      this.kept('bucket-accounts.json'),
    );
    this.closing.push(buckets.flush);
    this.bucketOwner = buckets.ownerOf;
    const s3Url = await this.endpoint('s3', buckets.backend, { subdomains: true });
    const firehose = createFirehose({
      s3Url,
      log,
      mayWrite: deliveryAccess({ roles: this.roles, log }, buckets.ownerOf),
      stateFile: this.kept('firehose.json'),
      journalFolder: this.kept('firehose-journal'),
    });
    this.closing.push(firehose.close);
    await this.endpoint('firehose', firehose.backend);
  }

  async endpoint(name: ServiceName, backend: Backend, server: LoopbackOptions = {}): Promise<string> {
    const { faults, calls, roles, sessions, options } = this;
    const { log } = options;
    const service = services[name];
    const bucketOwner = (bucket: string) => this.bucketOwner(bucket);
    const authorized = withAuthorization(service, { roles, sessions, log, bucketOwner }, backend);
    const endpoint = await startEndpoint({
      service,
      backend: authorized,
      faults,
      calls,
      sessions,
      log,
      server,
    });
    this.closing.push(endpoint.close);
    this.endpoints[name] = endpoint.url;
    return endpoint.url;
  }

  close(): Promise<void> {
    return (this.closed ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    for (const close of this.closing.toReversed()) await close();
  }

  private behind(name: string, emulator: Emulator): Backend {
    void emulator.exited.then((code) => {
      if (!this.closed)
        this.tellCrash(`${name} ended by itself (${code === null ? 'by a signal' : `exit code ${code}`}).`);
    });
    const forward = forwardTo(emulator);
    this.closing.push(emulator.close, forward.close);
    return forward.backend;
  }

  private kept(name: string): string | undefined {
    const { dataDirectory } = this.options;
    return dataDirectory === undefined ? undefined : join(dataDirectory, name);
  }
}
