import { expect, test } from '@jest/globals';
import { emptyHistory, type PushHistory } from '../../../core/devices/push-history.ts';
import { deleteHistory, parseHistory, putHistory } from '../../../core/devices/push-history-item.ts';

const user = { tenantId: 't', userId: 'u' };
const history: PushHistory = {
  open: { phone: { challengeId: 'c', expiresAt: 2 } },
  sentAt: [1],
  withdrawnAt: [2],
  unsuccessfulInARow: 2,
  lastUnsuccessfulAt: 1,
  notMeAt: 1,
  lastConfirmedOn: 'phone',
  hadDevice: true,
};

const itemOf = (written: PushHistory, version = 0) =>
  putHistory('devices', user, { history: emptyHistory, version }, written).Put?.Item;

test('a history is read as it was written, with the next version', () => {
  expect(parseHistory(itemOf(history, 4))).toEqual({ history, version: 5 });
  expect(parseHistory(itemOf(emptyHistory))).toEqual({ history: emptyHistory, version: 1 });
});

test('a user without an item has an empty history', () => {
  expect(parseHistory(undefined)).toEqual({ history: emptyHistory, version: 0 });
});

test('a withdrawal since the item was written counts as a withdrawal, and no longer as a push', () => {
  const item = itemOf({ ...history, sentAt: [1, 3, 5] });
  const stored = item?.['history'] as Record<string, unknown>;
  const withdrawn = [
    { sentAt: 3, at: 7 },
    { sentAt: 5, at: 6 },
  ];
  const read = parseHistory({ ...item, history: { ...stored, withdrawn } });
  expect(read.history).toEqual({ ...history, sentAt: [1], withdrawnAt: [2, 7, 6] });
});

test('only the version that was read is replaced or deleted', () => {
  expect(putHistory('devices', user, { history, version: 0 }, history).Put).toMatchObject({
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const condition = {
    ConditionExpression: '#version = :read',
    ExpressionAttributeValues: { ':read': 4 },
  };
  expect(putHistory('devices', user, { history, version: 4 }, history).Put).toMatchObject(condition);
  expect(deleteHistory('devices', user, { history, version: 4 }).Delete).toMatchObject(condition);
});
