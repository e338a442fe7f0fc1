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
      ...(created && { ApproximateCreationDateTime: Math.floor(creationOf(created) / 1_000) }),
    },
    ...(userIdentity && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
    eventSourceARN,
  } as DynamoDBRecord;
}

const MINUTE_MS = 60_000;

/** DynamoDB Local cuts the time to the minute. A record is read as soon as it is there, so within that minute now is nearest. */
function creationOf(told: Date): number {
  const time = told.getTime();
  return time % MINUTE_MS === 0 ? Math.max(time, Math.min(Date.now(), time + MINUTE_MS - 1)) : time;
}

/** Attribute values are in the record as they are on the wire; the SDK decodes binary ones. */
function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]));
}

export const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';
