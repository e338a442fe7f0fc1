/**
 * The calls to AWS that each request costs when nothing goes wrong, in order, and each batch of the export.
 * `test/contract/round-trips` counts them on the local stack and holds the Lambdas to this table; the cost model
 * multiplies it with prices.
 */
import type { LambdaName } from '../../lambdas/environments.ts';
import type { ItemName } from './items.ts';

/** What a call touches; `index`: of these, items that are in the table's index, too. */
export type Trip =
  | { operation: 'GetItem' | 'Query' | 'BatchGetItem' | 'UpdateItem'; items: readonly ItemName[] }
  | { operation: 'TransactWriteItems'; items: readonly ItemName[]; indexed: readonly ItemName[] }
  | { operation: 'Publish' }
  | { operation: 'SendMessageBatch' | 'ChangeMessageVisibilityBatch' }
  /** Billed by the bytes of their records (`events.ts`), not by calls. */
  | { operation: 'PutRecords' | 'PutRecordBatch' };

/** Of a table. */
export type TableTrip = Extract<Trip, { items: readonly ItemName[] }>;

export type Request = { lambda: LambdaName; trips: readonly Trip[] };

/** A user with one device; more devices are read by the same calls. */
const user = ['device', 'history, closed'] as const satisfies ItemName[];

export const requests = {
  authorize: { lambda: 'authorize', trips: [{ operation: 'GetItem', items: ['client'] }] },
  list: { lambda: 'list-devices', trips: [{ operation: 'Query', items: user }] },
  send: {
    lambda: 'send-to-device',
    trips: [
      { operation: 'Query', items: user },
      {
        operation: 'TransactWriteItems',
        items: ['confirmation, pending', 'history, open', 'event, sent'],
        indexed: ['event, sent'],
      },
      { operation: 'Publish' },
    ],
  },
  poll: {
    lambda: 'get-confirmation',
    trips: [{ operation: 'GetItem', items: ['confirmation, decided'] }],
  },
  /** Of a device that was seen within five minutes; otherwise one update more. */
  fetch: {
    lambda: 'list-challenges',
    trips: [
      { operation: 'BatchGetItem', items: ['device', 'history, open', 'no suspension'] },
      { operation: 'UpdateItem', items: ['confirmation, opened'] },
    ],
  },
  answer: {
    lambda: 'answer-challenge',
    trips: [
      {
        operation: 'BatchGetItem',
        items: ['device', 'history, open', 'no suspension', 'confirmation, opened'],
      },
      {
        operation: 'TransactWriteItems',
        items: ['confirmation, decided', 'history, closed', 'event, confirmed'],
        indexed: ['event, confirmed'],
      },
    ],
  },
  /** The alarm of a confirmation that was answered: it reads, and finds nothing to do. */
  alarm: {
    lambda: 'expire-confirmation',
    trips: [{ operation: 'GetItem', items: ['confirmation, decided'] }],
  },
} as const satisfies Record<string, Request>;

export type RequestName = keyof typeof requests;

/**
 * For a batch with events of one target, however many; each further target of a batch has its own delivery and its own
 * count. A stream's role is assumed once an hour, which is left out. Without the calls by which Lambda polls.
 */
export const exportRequests = {
  exportToStream: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'PutRecords' },
      // Counts, for people.
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
  exportToBucket: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'PutRecordBatch' },
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
  /** To a target for which events wait already. */
  park: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'SendMessageBatch' },
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
  /** While the target is not open. */
  wait: {
    lambda: 'redeliver-events',
    trips: [{ operation: 'BatchGetItem', items: ['target'] }, { operation: 'ChangeMessageVisibilityBatch' }],
  },
  /** The last that waited: how far the lane is drained, and that the target is well. */
  redeliver: {
    lambda: 'redeliver-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'PutRecords' },
      { operation: 'UpdateItem', items: ['target'] },
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
} as const satisfies Record<string, Request>;

export type ExportRequestName = keyof typeof exportRequests;

const budgets: Record<RequestName | ExportRequestName, Request> = { ...requests, ...exportRequests };

/** As the local stack records them: `lambda: Operation`. */
export function callsOf(name: RequestName | ExportRequestName): string[] {
  const { lambda, trips } = budgets[name];
  return trips.map(({ operation }) => `${lambda}: ${operation}`);
}
