import { join } from 'node:path';
import { createCalls } from './calls.ts';
import type { Emulator } from './child.ts';
import type { LocalCloudOptions } from './cloud.ts';
import { startDynamoDb } from './dynamodb/start.ts';
import type { ServiceName } from './fault-schema.ts';
import { createFaults } from './faults.ts';
import { startFauxqs } from './fauxqs.ts';
import { createFirehose } from './firehose/backend.ts';
import { forwardTo } from './forward.ts';
import { startFront } from './front.ts';
import type { Backend } from './http.ts';
import { withAuthorization } from './iam/authorization.ts';
import { deliveryAccess } from './iam/delivery.ts';
import { withAccounts } from './kinesis/accounts.ts';
import { withLimits } from './kinesis/limits.ts';
import { startKinesis } from './kinesis/start.ts';
import type { LoopbackOptions } from './loopback.ts';
import { withBucketAccounts } from './s3-accounts.ts';
import { withSubresources } from './s3-subresources.ts';
import { createSns } from './sns/backend.ts';
import { createRoles, type Roles } from './sts/roles.ts';
import { createSessions } from './sts/sessions.ts';
import * as services from './wire/services.ts';

type Closing = () => Promise<void> | void;

/** What is started together, and ends in the opposite order. */
export class CloudParts {
  readonly faults = createFaults();
  readonly calls = createCalls();
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
    await this.front('dynamodb', this.behind('DynamoDB Local (Java)', dynamodb));
  }

  async startKinesis(): Promise<void> {
    const kinesis = await startKinesis(this.kept('kinesis'));
    const emulator = this.behind('The Kinesis emulator', kinesis);
    const accounts = withAccounts(emulator, this.sessions, this.kept('stream-accounts.json'));
    this.closing.push(accounts.flush);
    await this.front('kinesis', withLimits(accounts.backend), { http2: true });
  }

  /** SQS, S3, and Firehose, which writes to S3. */
  async startStorage(): Promise<void> {
    const { log } = this.options;
    const fauxqs = await startFauxqs(this.kept('fauxqs'));
    this.closing.push(fauxqs.close);
    await this.front('sqs', fauxqs.sqs);
    const buckets = withBucketAccounts(
      withSubresources(fauxqs.s3),
      this.sessions,
      this.kept('bucket-accounts.json'),
    );
    this.closing.push(buckets.flush);
    this.bucketOwner = buckets.ownerOf;
    const s3Url = await this.front('s3', buckets.backend, { subdomains: true });
    const firehose = createFirehose({
      s3Url,
      log,
      mayWrite: deliveryAccess({ roles: this.roles, log }, buckets.ownerOf),
      stateFile: this.kept('firehose.json'),
      journalFolder: this.kept('firehose-journal'),
    });
    this.closing.push(firehose.close);
    await this.front('firehose', firehose.backend);
  }

  async front(name: ServiceName, backend: Backend, server: LoopbackOptions = {}): Promise<string> {
    const { faults, calls, roles, sessions, options } = this;
    const { log } = options;
    const service = services[name];
    const bucketOwner = (bucket: string) => this.bucketOwner(bucket);
    const authorized = withAuthorization(service, { roles, sessions, log, bucketOwner }, backend);
    const front = await startFront({ service, backend: authorized, faults, calls, sessions, log, server });
    this.closing.push(front.close);
    this.endpoints[name] = front.url;
    return front.url;
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
