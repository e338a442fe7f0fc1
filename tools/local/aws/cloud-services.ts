import { join } from 'node:path';
import { createCallLog } from './endpoint/call-log.ts';
import type { Address, Emulator } from './emulators/child-process.ts';
import { freshDatabase } from './emulators/dynamodb-local/database.ts';
import { startDynamoDb } from './emulators/dynamodb-local/start.ts';
import type { ServiceName } from './endpoint/fault-schema.ts';
import { createFaults } from './endpoint/faults.ts';
import { startFauxqs } from './emulators/fauxqs/start.ts';
import { createCloudWatch } from './stand-ins/cloudwatch/backend.ts';
import { createFirehose } from './stand-ins/firehose/backend.ts';
import { type ChangedHeaders, forwardTo } from './emulators/forward.ts';
import { startEndpoint } from './endpoint/endpoint.ts';
import { Writes } from './endpoint/writes.ts';
import { Usage } from './endpoint/usage.ts';
import type { Backend } from './endpoint/http.ts';
import { withAuthorization } from './stand-ins/iam/authorization.ts';
import { deliveryAccess } from './stand-ins/iam/delivery-access.ts';
import { withStreamAccounts } from './emulators/kinesis-local/patches/stream-accounts.ts';
import { withBatchLimit } from './emulators/kinesis-local/patches/batch-limit.ts';
import { withSharedLimits } from './emulators/kinesis-local/patches/shared-limits.ts';
import { atSocket, freshAccount, startKinesis } from './emulators/kinesis-local/start.ts';
import type { LoopbackOptions } from '../server/loopback-server.ts';
import { withBucketAccounts } from './emulators/fauxqs/patches/bucket-accounts.ts';
import { createSecretsManager } from './stand-ins/secrets/backend.ts';
import { createEventBridge } from './stand-ins/eventbridge/backend.ts';
import { createKms } from './stand-ins/kms/backend.ts';
import { createSes } from './stand-ins/ses/backend.ts';
import { createSns } from './stand-ins/sns/backend.ts';
import { createRoles, type Roles } from './stand-ins/iam/roles.ts';
import { withRecovery } from './stand-ins/recovery/backend.ts';
import { Logs } from './stand-ins/logs/logs.ts';
import { createSessions } from './stand-ins/sts/sessions.ts';
import * as services from './protocols/services.ts';

/** The services of the local cloud. They start together, and close in the opposite order. */
export class CloudServices {
  readonly faults = createFaults();
  readonly calls = createCallLog();
  readonly sessions = createSessions();
  readonly writes = new Writes(services.dynamodb);
  readonly streamWrites = new Writes(services.kinesis);
  readonly usage = new Usage();
  readonly logs = new Logs();
  readonly endpoints: Partial<Record<ServiceName, string>> = {};
  readonly roles: Roles;
  readonly sns: ReturnType<typeof createSns>;
  readonly secrets: ReturnType<typeof createSecretsManager>;
  readonly kms: ReturnType<typeof createKms>;
  readonly ses = createSes();
  readonly eventbridge: ReturnType<typeof createEventBridge>;
  readonly crashed: Promise<string>;
  private readonly reportCrash: (what: string) => void;
  private readonly options: LocalCloudOptions;
  private readonly parts = new AsyncDisposableStack();
  private readonly drops: (() => void)[] = [];
  private bucketOwner: (bucket: string) => string | undefined = () => undefined;

  constructor(options: LocalCloudOptions) {
    this.options = options;
    ({ promise: this.crashed, resolve: this.reportCrash } = Promise.withResolvers<string>());
    this.roles = createRoles(this.dataPath('roles.json'));
    this.sns = createSns(this.dataPath('sns.json'));
    this.parts.defer(this.roles.flush);
    this.parts.defer(this.sns.flush);
    // The token issuer keeps its own secrets in `secrets.json` of the same folder.
    this.secrets = createSecretsManager(this.dataPath('secretsmanager.json'));
    this.parts.defer(this.secrets.flush);
    this.kms = createKms(this.dataPath('kms.json'));
    this.parts.defer(this.kms.flush);
    this.eventbridge = createEventBridge(this.sessions, this.dataPath('eventbridge.json'));
    this.parts.defer(this.eventbridge.flush);
  }

  async startDynamoDb(): Promise<void> {
    const { dynamoDbUrl } = this.options;
    if (dynamoDbUrl !== undefined) {
      const database = freshDatabase();
      const backend = this.forwarded({ endpoint: dynamoDbUrl }, database.changed);
      // An emulator that has ended first took the database with it.
      this.parts.defer(async () => await database.end(backend).catch(() => undefined));
      await this.serveDynamoDb(backend);
      return;
    }
    const dataDirectory = this.dataPath('dynamodb');
    const dynamodb = await startDynamoDb({ sharedDb: true, ...(dataDirectory ? { dataDirectory } : {}) });
    await this.serveDynamoDb(this.behind('DynamoDB Local (Java)', dynamodb));
  }

  async startKinesis(): Promise<void> {
    const accounts = withStreamAccounts(withSharedLimits(await this.kinesisEmulator()), {
      sessions: this.sessions,
      stateFile: this.dataPath('stream-accounts.json'),
      ...(this.options.kinesisSocket !== undefined && { emulatorAccount: freshAccount() }),
    });
    this.parts.defer(accounts.flush);
    await this.serve('kinesis', this.streamWrites.noting(withBatchLimit(accounts.backend)), { http2: true });
  }

  /** SQS, S3, Firehose, which writes to S3, and CloudWatch with its metrics. */
  async startStorage(): Promise<void> {
    const { log } = this.options;
    const fauxqs = await startFauxqs(this.dataPath('fauxqs'));
    this.parts.defer(fauxqs.close);
    await this.serve('sqs', fauxqs.sqs);
    const buckets = withBucketAccounts(fauxqs.s3, this.sessions, this.dataPath('bucket-accounts.json'));
    this.parts.defer(buckets.flush);
    this.bucketOwner = buckets.ownerOf;
    const s3Url = await this.serve('s3', buckets.backend, { subdomains: true });
    const firehose = createFirehose({
      s3Url,
      log,
      failed: (entry) => this.logs.add('delivery', entry),
      mayWrite: deliveryAccess({ roles: this.roles, log }, buckets.ownerOf),
      canProcess: (stream) =>
        !this.faults
          .list()
          .some(({ operation, resource = stream }) => operation === 'ProcessRecords' && resource === stream),
      stateFile: this.dataPath('firehose.json'),
      journalFolder: this.dataPath('firehose-journal'),
    });
    this.parts.defer(firehose.close);
    await this.serve('firehose', firehose.backend);
    await this.serve('cloudwatch', createCloudWatch({ 'AWS/Firehose': firehose.measure }));
  }

  async serve(name: ServiceName, backend: Backend, server: LoopbackOptions = {}): Promise<string> {
    const { faults, calls, roles, sessions, options } = this;
    const { log } = options;
    const service = services[name];
    const bucketOwner = (bucket: string) => this.bucketOwner(bucket);
    const authorized = withAuthorization(service, { roles, sessions, log, bucketOwner }, backend);
    const endpoint = await startEndpoint({
      service,
      backend: this.usage.noting(authorized),
      faults,
      calls,
      sessions,
      log,
      server,
    });
    this.parts.defer(endpoint.close);
    this.drops.push(endpoint.drop);
    this.endpoints[name] = endpoint.url;
    return endpoint.url;
  }

  /** As after a freeze of all Lambdas: their connections are gone when they next use them. */
  dropConnections(): void {
    for (const drop of this.drops) drop();
  }

  async close(): Promise<void> {
    await this.parts.disposeAsync();
  }

  private async serveDynamoDb(backend: Backend): Promise<void> {
    await this.serve(
      'dynamodb',
      this.writes.noting(withRecovery(backend, { sessions: this.sessions, log: this.options.log })),
    );
  }

  private async kinesisEmulator(): Promise<Backend> {
    const { kinesisSocket } = this.options;
    return kinesisSocket === undefined
      ? this.behind('The Kinesis emulator', await startKinesis(this.dataPath('kinesis')))
      : this.forwarded(atSocket(kinesisSocket));
  }

  private behind(name: string, emulator: Emulator): Backend {
    void emulator.exited.then((code) => {
      if (!this.parts.disposed)
        this.reportCrash(`${name} ended by itself (${code === null ? 'by a signal' : `exit code ${code}`}).`);
    });
    this.parts.defer(emulator.close);
    return this.forwarded(emulator);
  }

  private forwarded(address: Address, changed?: ChangedHeaders): Backend {
    const forward = forwardTo(address, changed);
    this.parts.defer(forward.close);
    return forward.backend;
  }

  private dataPath(name: string): string | undefined {
    const { dataDirectory } = this.options;
    return dataDirectory === undefined ? undefined : join(dataDirectory, name);
  }
}

export type LocalCloudOptions = {
  /** The folder for all data; without it they are in memory. */
  dataDirectory?: string;
  /** URL of a DynamoDB Local to use: the cloud gets its own database there. Without it DynamoDB Local is started. */
  dynamoDbUrl?: string;
  /** Socket of a Kinesis emulator to use: the cloud gets its own account there. Without it an emulator is started. */
  kinesisSocket?: string;
  log: (line: string) => void;
};
