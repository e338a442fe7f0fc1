import { setTimeout } from 'node:timers/promises';
import { chunksOf } from '../kernel/chunks.ts';
import type { BatchWrites, BatchWriteRequests } from './dynamodb-client.ts';

/** What BatchWriteItem answers. */
type Answer = { UnprocessedItems?: BatchWriteRequests | undefined };

/** The most writes of a call. */
export const batchOfWrites = 25;

/** So many answers without a single write mean that the table is throttled for longer than a caller should wait. */
const fruitlessAttempts = 8;
const longestPauseMs = 200;

class UnprocessedItemsError extends Error {
  override readonly name = 'UnprocessedItems';
}

/**
 * Writes into a table, in no order. DynamoDB answers 200 with what a throttled table did not take, so the rest is sent again
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html).
 *
 * @throws {Error} if a throttled table leaves writes undone
 */
export async function batchWrite(
  send: (requests: BatchWriteRequests) => Promise<Answer>,
  table: string,
  writes: BatchWrites,
): Promise<void> {
  for (const batch of chunksOf(writes, batchOfWrites)) {
    let left = batch;
    for (let fruitless = 0; left.length > 0;) {
      const { UnprocessedItems = {} } = await send({ [table]: left });
      const rest = UnprocessedItems[table] ?? [];
      fruitless = rest.length < left.length ? 0 : fruitless + 1;
      if (fruitless === fruitlessAttempts) throw new UnprocessedItemsError();
      left = rest;
      // Full jitter, so that concurrent callers do not collide again.
      if (left.length > 0) await setTimeout(Math.random() * Math.min(longestPauseMs, 10 * 2 ** fruitless));
    }
  }
}
