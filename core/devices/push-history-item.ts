import type { Item, Write } from '../aws/dynamodb-client.ts';
import type { User } from './device.ts';
import { emptyHistory, recordWithdrawal, type PushHistory, type Withdrawal } from './push-history.ts';

/** A user's push history with the version that the next write of it must find. */
export type VersionedHistory = { history: PushHistory; version: number };

/** Attribute names differ from the type's, so that earlier versions of the service can read the items. */
type StoredHistory = Omit<PushHistory, 'withdrawnAt' | 'unsuccessfulInARow' | 'lastUnsuccessfulAt'> & {
  withdrawnAt?: number[];
  /** What was withdrawn since the last write of the whole item; see {@link OpenConfirmations}. */
  withdrawn?: Withdrawal[];
  badEnds: number;
  lastBadEndAt?: number | undefined;
};

const sortKey = 'history';

/** The partition of a user's devices and push history. */
export const userPartition = ({ tenantId, userId }: User): string => `${tenantId}#${userId}`;

export const historyKey = (user: User) => ({ pk: userPartition(user), sk: sortKey });

export const isHistory = (item: Item): boolean => item['sk'] === sortKey;

const toStored = ({
  withdrawnAt,
  unsuccessfulInARow,
  lastUnsuccessfulAt,
  ...rest
}: PushHistory): StoredHistory => ({
  ...rest,
  ...(withdrawnAt.length > 0 && { withdrawnAt }),
  badEnds: unsuccessfulInARow,
  ...(lastUnsuccessfulAt !== undefined && { lastBadEndAt: lastUnsuccessfulAt }),
});

function fromStored({ withdrawn = [], ...stored }: StoredHistory): PushHistory {
  const { withdrawnAt = [], badEnds, lastBadEndAt, ...rest } = stored;
  const written: PushHistory = {
    ...rest,
    withdrawnAt,
    unsuccessfulInARow: badEnds,
    ...(lastBadEndAt !== undefined && { lastUnsuccessfulAt: lastBadEndAt }),
  };
  return withdrawn.reduce(recordWithdrawal, written);
}

export const parseHistory = (item: Item | undefined): VersionedHistory =>
  item
    ? { history: fromStored(item['history'] as StoredHistory), version: item['version'] as number }
    : { history: emptyHistory, version: 0 };

const versionIs = (version: number) => ({
  ConditionExpression: '#version = :read',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':read': version },
});

/** Replaces the version that was read. */
export const putHistory = (
  table: string,
  user: User,
  { version }: VersionedHistory,
  history: PushHistory,
): Write => ({
  Put: {
    TableName: table,
    Item: { ...historyKey(user), history: toStored(history), version: version + 1 },
    ...(version === 0 ? { ConditionExpression: 'attribute_not_exists(pk)' } : versionIs(version)),
  },
});

/** Deletes the version that was read. */
export const deleteHistory = (table: string, user: User, { version }: VersionedHistory): Write => ({
  Delete: { TableName: table, Key: historyKey(user), ...versionIs(version) },
});
