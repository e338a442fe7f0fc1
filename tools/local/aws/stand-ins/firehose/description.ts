import { accountId, region } from '../../identity.ts';
import type { JsonObject } from '../../protocols/json.ts';

export type DeliveryStream = {
  name: string;
  status: 'CREATING' | 'CREATING_FAILED' | 'ACTIVE' | 'DELETING';
  /** The reason, if the creation failed. */
  failure?: Failure;
  /** Counts the changes of the configuration. */
  version: number;
  createdAt: number;
  updatedAt: number;
  configuration: JsonObject;
  tags: JsonObject[];
};

/** `FailureDescription` of the API. */
export type Failure = { Type: string; Details: string };

/** A stream has one destination, always with this id. */
export const destinationId = 'destinationId-000000000001';

export function arnOf(name: string): string {
  return `arn:aws:firehose:${region}:${accountId}:deliverystream/${name}`;
}

/** `DeliveryStreamDescription` of the API. */
export function describe(stream: DeliveryStream): JsonObject {
  const { name, status, failure, version, createdAt, updatedAt, configuration } = stream;
  return {
    DeliveryStreamName: name,
    DeliveryStreamARN: arnOf(name),
    DeliveryStreamStatus: status,
    ...(failure ? { FailureDescription: failure } : {}),
    DeliveryStreamType: 'DirectPut',
    DeliveryStreamEncryptionConfiguration: { Status: 'DISABLED' },
    VersionId: String(version),
    CreateTimestamp: createdAt / 1_000,
    LastUpdateTimestamp: updatedAt / 1_000,
    Destinations: [{ DestinationId: destinationId, ExtendedS3DestinationDescription: configuration }],
    HasMoreDestinations: false,
  };
}
