import {
  CreateDeliveryStreamCommand,
  DeleteDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  UpdateDestinationCommand,
  type DeliveryStreamDescription,
} from '@aws-sdk/client-firehose';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import {
  defaultBuffering,
  type DeliveryStreamConfiguration,
  type FoundConfiguration,
} from './delivery-stream.ts';
import type { RateLimiter } from '../../aws/rate-limiter.ts';
import { DeliveryStreamChanged, translateControlError } from './provisioning-faults.ts';

/** The control plane is slower than the data plane; what it does not answer is looked at again. */
const timeLimits = { connectionTimeout: 1_000, requestTimeout: 8_000, throwOnRequestTimeout: true };

export const controlPlaneClient = (): FirehoseClient =>
  new FirehoseClient({ maxAttempts: 1, requestHandler: new NodeHttpHandler(timeLimits) });

/** A delivery stream as Firehose tells of it. */
export type DeliveryStream = {
  name: string;
  status: 'CREATING' | 'CREATING_FAILED' | 'ACTIVE' | 'DELETING' | 'DELETING_FAILED';
  /** Of the configuration; an update names the one that it is meant for. */
  version: string;
  destinationId: string;
  configuration: FoundConfiguration;
  bufferSeconds: number;
  /** Why it is in a failed state, as Firehose words it. */
  failure: { code: string; details: string } | undefined;
};

/**
 * The control plane of the service's own delivery streams: each method is one call of at most five a second that an
 * account has (https://docs.aws.amazon.com/firehose/latest/dev/limits.html).
 *
 * Its methods throw `DeliveryStreamRefused` with whose move it is, or `DeliveryStreamChanged` where the stream is no
 * longer what the caller took it for.
 */
export class DeliveryStreamClient {
  readonly #client: FirehoseClient;
  readonly #pace: RateLimiter;

  constructor(client: FirehoseClient, pace: RateLimiter) {
    this.#client = client;
    this.#pace = pace;
  }

  /** @returns nothing where there is none */
  async describe(DeliveryStreamName: string): Promise<DeliveryStream | undefined> {
    try {
      const { DeliveryStreamDescription: found } = await this.#call(
        async () => await this.#client.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName })),
      );
      return found && asDeliveryStream(found);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** For direct puts; it takes none before it is active, a minute later. */
  async create(name: string, tenantId: string, wanted: DeliveryStreamConfiguration): Promise<void> {
    const command = new CreateDeliveryStreamCommand({
      DeliveryStreamName: name,
      DeliveryStreamType: 'DirectPut',
      ExtendedS3DestinationConfiguration: settingsOf(wanted),
      Tags: [{ Key: 'tenantId', Value: tenantId }],
    });
    await this.#call(async () => await this.#client.send(command));
  }

  /** Changes the stream that was described, if it is still as it was then. */
  async update(described: DeliveryStream, wanted: DeliveryStreamConfiguration): Promise<void> {
    const command = new UpdateDestinationCommand({
      DeliveryStreamName: described.name,
      CurrentDeliveryStreamVersionId: described.version,
      DestinationId: described.destinationId,
      ExtendedS3DestinationUpdate: settingsOf(wanted),
    });
    await this.#call(async () => await this.#client.send(command));
  }

  /** One that is gone is deleted. A failed deletion is forced: it hung on a key's grant, which its owner may revoke. */
  async delete({ name, status }: Pick<DeliveryStream, 'name' | 'status'>): Promise<void> {
    const command = new DeleteDeliveryStreamCommand({
      DeliveryStreamName: name,
      AllowForceDelete: status === 'DELETING_FAILED',
    });
    try {
      await this.#call(async () => await this.#client.send(command));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    await this.#pace.turn();
    try {
      return await call();
    } catch (error) {
      throw translateControlError(error);
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof DeliveryStreamChanged && error.code === 'ResourceNotFoundException';

/** An update keeps what it does not name, so an encryption that is no longer wanted has to be named, too. */
const settingsOf = (wanted: DeliveryStreamConfiguration) => ({
  BucketARN: wanted.bucketArn,
  RoleARN: wanted.roleArn,
  Prefix: wanted.prefix,
  ErrorOutputPrefix: wanted.errorPrefix,
  BufferingHints: {
    IntervalInSeconds: wanted.buffering.seconds,
    SizeInMBs: wanted.buffering.mebibytes,
  },
  CompressionFormat: wanted.compression,
  EncryptionConfiguration:
    wanted.kmsKeyArn === undefined
      ? ({ NoEncryptionConfig: 'NoEncryption' } as const)
      : { KMSEncryptionConfig: { AWSKMSKeyARN: wanted.kmsKeyArn } },
});

function asDeliveryStream(description: DeliveryStreamDescription): DeliveryStream {
  const { DeliveryStreamName, DeliveryStreamStatus, VersionId, FailureDescription } = description;
  const [{ DestinationId = '', ExtendedS3DestinationDescription: s3 } = {}] = description.Destinations ?? [];
  const { IntervalInSeconds: seconds, SizeInMBs: mebibytes } = s3?.BufferingHints ?? {};
  return {
    name: DeliveryStreamName ?? '',
    status: DeliveryStreamStatus ?? 'CREATING',
    version: VersionId ?? '',
    destinationId: DestinationId,
    configuration: {
      bucketArn: s3?.BucketARN,
      roleArn: s3?.RoleARN,
      prefix: s3?.Prefix,
      errorPrefix: s3?.ErrorOutputPrefix,
      buffering: { seconds, mebibytes },
      kmsKeyArn: s3?.EncryptionConfiguration?.KMSEncryptionConfig?.AWSKMSKeyARN,
      compression: s3?.CompressionFormat,
    },
    bufferSeconds: seconds ?? defaultBuffering.seconds,
    failure: FailureDescription && {
      code: FailureDescription.Type ?? 'UNKNOWN_ERROR',
      details: FailureDescription.Details ?? '',
    },
  };
}
