import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';

/** A record as Lambda hands it over. DynamoDB Local calls its region `ddblocal`. */
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
      // Whole seconds since 1970.
      ...(created && { ApproximateCreationDateTime: Math.floor(created.getTime() / 1_000) }),
    },
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN,
  } as DynamoDBRecord;
}

/** Attribute values are in the record as they are on the wire; the SDK decodes binary ones. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]));
}

export const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';
