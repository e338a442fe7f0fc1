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
  errorLogStream,
  type DeliveryStreamConfiguration,
  type FoundConfiguration,
} from './delivery-stream.ts';
import type { RateLimiter } from '../../../../aws/rate-limiter.ts';
import { DeliveryStreamChanged, translateControlError } from './provisioning-faults.ts';

/** The control plane is slower than the data plane. The next step follows up on calls without an answer. */
const timeLimits = { connectionTimeout: 1_000, requestTimeout: 8_000, throwOnRequestTimeout: true };

export const controlPlaneClient = (): FirehoseClient =>
  new FirehoseClient({ maxAttempts: 1, requestHandler: new NodeHttpHandler(timeLimits) });

/** A delivery stream as Firehose describes it. */
export type DeliveryStream = {
  name: string;
  status: 'CREATING' | 'CREATING_FAILED' | 'ACTIVE' | 'DELETING' | 'DELETING_FAILED';
  /** Version of the configuration. An update names the version that it changes. */
  version: string;
  destinationId: string;
  configuration: FoundConfiguration;
  bufferSeconds: number;
  /** Why it is in a failed state, in the words of Firehose. */
  failure: { code: string; details: string } | undefined;
};

/**
 * The control plane of the service's own delivery streams. Each method is one call, and an account may make five a second
 * (https://docs.aws.amazon.com/firehose/latest/dev/limits.html).
 *
 * Methods throw `DeliveryStreamRefused`, which says who has to act, or `DeliveryStreamChanged` if the stream is not what the
 * caller read.
 */
export class DeliveryStreamClient {
  readonly #client: FirehoseClient;
  readonly #pace: RateLimiter;

  constructor(client: FirehoseClient, pace: RateLimiter) {
    this.#client = client;
    this.#pace = pace;
  }

  /** @returns nothing if it does not exist */
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

  /** For direct puts. It takes records when it is active, about a minute later. */
  async create(name: string, tenantId: string, wanted: DeliveryStreamConfiguration): Promise<void> {
    const command = new CreateDeliveryStreamCommand({
      DeliveryStreamName: name,
      DeliveryStreamType: 'DirectPut',
      ExtendedS3DestinationConfiguration: settingsOf(wanted),
      Tags: [{ Key: 'tenantId', Value: tenantId }],
    });
    await this.#call(async () => await this.#client.send(command));
  }

  /** Changes the stream if it is still as described. */
  async update(described: DeliveryStream, wanted: DeliveryStreamConfiguration): Promise<void> {
    const command = new UpdateDestinationCommand({
      DeliveryStreamName: described.name,
      CurrentDeliveryStreamVersionId: described.version,
      DestinationId: described.destinationId,
      ExtendedS3DestinationUpdate: settingsOf(wanted),
    });
    await this.#call(async () => await this.#client.send(command));
  }

  /** A missing stream counts as deleted. A deletion that failed because of the key's grant is forced. */
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

/** An update keeps settings that it does not name. So it must name that there is no encryption, too. */
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
  CloudWatchLoggingOptions: {
    Enabled: true,
    LogGroupName: wanted.logGroup,
    LogStreamName: errorLogStream,
  },
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
      logGroup: s3?.CloudWatchLoggingOptions?.LogGroupName,
    },
    bufferSeconds: seconds ?? defaultBuffering.seconds,
    failure: FailureDescription && {
      code: FailureDescription.Type ?? 'UNKNOWN_ERROR',
      details: FailureDescription.Details ?? '',
    },
  };
}
