import { accountId } from '../../identity.ts';
import { type JsonFile, openJsonFile } from '../../json-file.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { asArray, asObject, type JsonObject } from '../../protocols/json.ts';
import type { Source } from './journal.ts';
import { arnOf, type DeliveryStream, describe, destinationId } from './description.ts';
import { readDestination } from './destination.ts';
import { invalidArgument, notFound } from './errors.ts';
import { assertAssumable, failureOf, type FailingArns } from './failing-arns.ts';

export type StreamsOptions = {
  stateFile?: string | undefined;
  settleMs: number;
  limit: number;
  failingArns: FailingArns;
};

/** The delivery streams, from creation to deletion. */
export class DeliveryStreamClient {
  private readonly streams = new Map<string, DeliveryStream>();
  private readonly file: JsonFile<DeliveryStream[]>;
  private readonly options: StreamsOptions;

  constructor(options: StreamsOptions) {
    this.options = options;
    this.file = openJsonFile<DeliveryStream[]>(options.stateFile, () => [...this.streams.values()]);
    for (const stream of this.file.saved ?? []) {
      if (stream.status === 'DELETING') continue;
      const status = stream.status === 'CREATING' ? 'ACTIVE' : stream.status;
      this.streams.set(stream.name, { ...stream, status });
    }
  }

  create(input: JsonObject): JsonObject {
    const name = checkedName(input['DeliveryStreamName']);
    if (this.streams.has(name)) {
      throw new AwsServiceError(
        400,
        'ResourceInUseException',
        `Firehose ${name} under accountId ${accountId} already exists`,
      );
    }
    if (this.streams.size >= this.options.limit) {
      throw new AwsServiceError(
        400,
        'LimitExceededException',
        'You have already consumed your firehose quota.',
      );
    }
    const configuration = asObject(
      input['ExtendedS3DestinationConfiguration'] ?? input['S3DestinationConfiguration'],
    );
    assertAssumable(this.options.failingArns, readDestination(configuration));
    const now = Date.now();
    const stream: DeliveryStream = {
      name,
      status: 'CREATING',
      version: 1,
      createdAt: now,
      updatedAt: now,
      configuration,
      tags: asArray(input['Tags']).map(asObject),
    };
    this.streams.set(name, stream);
    this.later(() => this.created(stream));
    return { DeliveryStreamARN: arnOf(name) };
  }

  describe(input: JsonObject): JsonObject {
    return { DeliveryStreamDescription: describe(this.get(input['DeliveryStreamName'])) };
  }

  update(input: JsonObject): JsonObject {
    const stream = this.get(input['DeliveryStreamName']);
    if (input['CurrentDeliveryStreamVersionId'] !== String(stream.version)) {
      throw new AwsServiceError(
        400,
        'ConcurrentModificationException',
        'The delivery stream version is not the current one.',
      );
    }
    if (input['DestinationId'] !== destinationId) throw invalidArgument('There is no such destination.');
    if (stream.status !== 'ACTIVE') throw inUse(stream);
    const update = asObject(input['ExtendedS3DestinationUpdate'] ?? input['S3DestinationUpdate']);
    const configuration = { ...stream.configuration, ...update };
    assertAssumable(this.options.failingArns, readDestination(configuration));
    Object.assign(stream, { configuration, version: stream.version + 1, updatedAt: Date.now() });
    this.file.changed();
    return {};
  }

  delete(input: JsonObject): JsonObject {
    const stream = this.get(input['DeliveryStreamName']);
    if (stream.status === 'CREATING') throw inUse(stream);
    stream.status = 'DELETING';
    this.later(() => this.streams.delete(stream.name));
    return {};
  }

  tags({ DeliveryStreamName }: JsonObject): JsonObject {
    return { Tags: this.get(DeliveryStreamName).tags, HasMoreTags: false };
  }

  list({ ExclusiveStartDeliveryStreamName: after = '', Limit: limit = 10 }: JsonObject): JsonObject {
    const names = [...this.streams.keys()].sort().filter((name) => name > String(after));
    const page = names.slice(0, Number(limit));
    return { DeliveryStreamNames: page, HasMoreDeliveryStreams: page.length < names.length };
  }

  /** The destination of an active stream; other streams take no records. */
  source(name: unknown): Source {
    const stream = this.get(name);
    if (stream.status !== 'ACTIVE') throw notFound(stream.name);
    const { version, configuration } = stream;
    return { name: stream.name, version: String(version), destination: readDestination(configuration) };
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  private get(name: unknown): DeliveryStream {
    const stream = this.streams.get(String(name));
    if (!stream) throw notFound(String(name));
    return stream;
  }

  private created(stream: DeliveryStream): void {
    const failure = failureOf(this.options.failingArns, readDestination(stream.configuration));
    Object.assign(stream, failure ? { status: 'CREATING_FAILED', failure } : { status: 'ACTIVE' });
  }

  private later(change: () => void): void {
    this.file.changed();
    setTimeout(() => {
      change();
      this.file.changed();
    }, this.options.settleMs).unref();
  }
}

function checkedName(name: unknown): string {
  if (typeof name === 'string' && /^[a-zA-Z0-9_.-]{1,64}$/.test(name)) return name;
  throw invalidArgument('DeliveryStreamName must have 1 to 64 of a-z A-Z 0-9 _ . -');
}

function inUse({ name, status }: DeliveryStream): AwsServiceError {
  return new AwsServiceError(400, 'ResourceInUseException', `Firehose ${name} is ${status}.`);
}
