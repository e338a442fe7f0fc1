import { setTimeout } from 'node:timers/promises';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { BatchGetRequests } from './dynamodb-client.ts';

/** What BatchGetItem answers, whichever client asks. */
type Answer<Item> = {
  Responses?: Record<string, Item[]> | undefined;
  UnprocessedKeys?: BatchGetRequests | undefined;
};

/** So many answers without a single key mean that the table is throttled for longer than a caller should wait. */
const fruitlessAttempts = 8;
const longestPauseMs = 200;

/**
 * All items of the keys, by table. DynamoDB answers 200 with a part of them if a table is throttled or the items exceed 16 MB,
 * so the rest is asked for again (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html).
 *
 * @throws {ConflictError} if a throttled table returned only a part
 */
export async function batchGet<Item>(
  ask: (requests: BatchGetRequests) => Promise<Answer<Item>>,
  requests: BatchGetRequests,
): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>();
  let left = requests;
  let fruitless = 0;
  for (;;) {
    const { Responses = {}, UnprocessedKeys } = await ask(left);
    for (const [table, items] of Object.entries(Responses))
      found.set(table, [...(found.get(table) ?? []), ...items]);
    if (!UnprocessedKeys || keysIn(UnprocessedKeys) === 0) return found;
    fruitless = keysIn(UnprocessedKeys) < keysIn(left) ? 0 : fruitless + 1;
    if (fruitless === fruitlessAttempts) throw new ConflictError('unprocessed keys');
    left = UnprocessedKeys;
    // Full jitter, so that concurrent callers do not collide again.
    await setTimeout(Math.random() * Math.min(longestPauseMs, 10 * 2 ** fruitless));
  }
}

const keysIn = (requests: BatchGetRequests): number =>
  Object.values(requests).reduce((total, { Keys = [] }) => total + Keys.length, 0);
