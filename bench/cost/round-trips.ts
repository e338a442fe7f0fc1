/**
 * The calls to AWS that each request costs when nothing goes wrong, in order. `test/contract/round-trips.ts` counts
 * them on the local stack and holds the Lambdas to this table; the cost model multiplies it with prices.
 */
import type { LambdaName } from '../../lambdas/environments.ts';
import type { ItemName } from './items.ts';

/** What a call touches; `index`: of these, items that are in the table's index, too. */
export type Trip =
  | { operation: 'GetItem' | 'Query' | 'BatchGetItem' | 'UpdateItem'; items: readonly ItemName[] }
  | { operation: 'TransactWriteItems'; items: readonly ItemName[]; indexed: readonly ItemName[] }
  | { operation: 'Publish' };

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
      { operation: 'BatchGetItem', items: ['device', 'history, open'] },
      { operation: 'UpdateItem', items: ['confirmation, opened'] },
    ],
  },
  answer: {
    lambda: 'answer-challenge',
    trips: [
      { operation: 'BatchGetItem', items: ['device', 'history, open', 'confirmation, opened'] },
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

/** As the local stack records them: `lambda: Operation`. */
export const callsOf = (name: RequestName, { lambda, trips }: Request = requests[name]): string[] =>
  trips.map(({ operation }) => `${lambda}: ${operation}`);
