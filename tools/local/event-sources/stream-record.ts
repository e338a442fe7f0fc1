import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { creationTime } from '../aws/emulators/dynamodb-local/patches/creation-time.ts';

/** A record as Lambda passes it to a function. DynamoDB Local names the region `ddblocal`. */
export function lambdaRecordOf(
  { userIdentity, dynamodb = {}, ...record }: StreamRecord,
  { arn: eventSourceARN, region: awsRegion }: { arn: string; region: string },
): DynamoDBRecord {
  const { ApproximateCreationDateTime: created, ...change } = dynamodb;
  return {
    ...record,
    awsRegion,
    dynamodb: {
      ...(asJson(change) as typeof change),
      ...(created && { ApproximateCreationDateTime: Math.floor(creationTime(created) / 1_000) }),
    },
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN,
  } as DynamoDBRecord;
}

/** Lambda passes attribute values as JSON; the SDK has decoded the binary ones. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]));
}

export const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';
