/**
 * The calls to AWS of each successful request and of each batch of the export, in order. `test/contract/round-trips` compares
 * them with the calls on the local stack, and the cost model multiplies them by prices.
 */
import type { LambdaName } from '../../../lambdas/registered.ts';
import type { ItemName } from './items.ts';

/** A call with its items. `indexed` lists those of its items that are also in the table's index. */
export type Trip =
  | {
      operation: 'GetItem' | 'Query' | 'BatchGetItem' | 'UpdateItem';
      items: readonly ItemName[];
      /** Eventually consistent reads cost half of consistent ones. */
      isEventual?: true;
    }
  | { operation: 'TransactWriteItems'; items: readonly ItemName[]; indexed: readonly ItemName[] }
  | { operation: 'Publish' }
  | { operation: 'SendMessageBatch' | 'ChangeMessageVisibilityBatch' }
  /** Billed by the bytes of their records (`events.ts`), not by calls. */
  | { operation: 'PutRecords' | 'PutRecordBatch' };

/** A call on a table. */
export type TableTrip = Extract<Trip, { items: readonly ItemName[] }>;

export type Request = { lambda: LambdaName; trips: readonly Trip[] };

/** A user with one device. The same calls read more devices. */
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
  /** By a device that was seen within five minutes. Otherwise there is one more update. */
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
  /** The expiry message of an answered confirmation: it reads and finds nothing to do. */
  alarm: {
    lambda: 'expire-confirmation',
    trips: [{ operation: 'GetItem', items: ['confirmation, decided'] }],
  },
  /** One of a batch of call-backs, to a receiver that is known to be quick. */
  callback: {
    lambda: 'deliver-callback',
    trips: [
      { operation: 'GetItem', items: ['confirmation, decided'] },
      { operation: 'BatchGetItem', items: ['client', 'receiver'], isEventual: true },
    ],
  },
} as const satisfies Record<string, Request>;

export type RequestName = keyof typeof requests;

/**
 * For a batch with any number of events of one target. Each other target of the batch adds its own delivery and count. The
 * table leaves out the polls of Lambda, and the call that assumes a stream's role once an hour.
 */
export const exportRequests = {
  exportToStream: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'PutRecords' },
      // Counts events for `target status`.
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
  /** The calls of its receiver are not AWS's. */
  exportToWebhook: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
  /** For a target with waiting events. */
  park: {
    lambda: 'export-events',
    trips: [
      { operation: 'BatchGetItem', items: ['target'] },
      { operation: 'SendMessageBatch' },
      { operation: 'UpdateItem', items: ['target'] },
    ],
  },
  /** While the target accepts no events. */
  wait: {
    lambda: 'redeliver-events',
    trips: [{ operation: 'BatchGetItem', items: ['target'] }, { operation: 'ChangeMessageVisibilityBatch' }],
  },
  /** The last waiting record: the lane's watermark, and the state of the target. */
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

/** The calls in the form of the local stack's records: `lambda: Operation`. */
export function callsOf(name: RequestName | ExportRequestName): string[] {
  const { lambda, trips } = budgets[name];
  return trips.map(({ operation }) => `${lambda}: ${operation}`);
}
