import type { Item, Write } from '../aws/dynamodb-client.ts';
import type { User } from './device.ts';
import { emptyHistory, recordWithdrawal, type PushHistory, type Withdrawal } from './push-history.ts';

/** A user's push history with the version that the next write of it must find. */
export type VersionedHistory = { history: PushHistory; version: number };

/** With what was withdrawn since the last write of the whole item; see {@link OpenConfirmations}. */
type StoredHistory = PushHistory & { withdrawn?: Withdrawal[] };

const sortKey = 'history';

/** The partition of a user's devices and push history. */
export const userPartition = ({ tenantId, userId }: User): string => `${tenantId}#${userId}`;

export const historyKey = (user: User) => ({ pk: userPartition(user), sk: sortKey });

export const isHistory = (item: Item): boolean => item['sk'] === sortKey;

const fromStored = ({ withdrawn = [], ...written }: StoredHistory): PushHistory =>
  withdrawn.reduce<PushHistory>(recordWithdrawal, written);

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
    Item: { ...historyKey(user), history, version: version + 1 },
    ...(version === 0 ? { ConditionExpression: 'attribute_not_exists(pk)' } : versionIs(version)),
  },
});

/** Deletes the version that was read. */
export const deleteHistory = (table: string, user: User, { version }: VersionedHistory): Write => ({
  Delete: { TableName: table, Key: historyKey(user), ...versionIs(version) },
});
