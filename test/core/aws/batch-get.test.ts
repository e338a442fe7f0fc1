import { describe, expect, test } from '@jest/globals';
import { batchGet } from '../../../core/aws/batch-get.ts';
import type { BatchGetRequests } from '../../../core/aws/dynamodb-client.ts';
import { ConflictError } from '../../../core/kernel/conflict-error.ts';

const request = (...names: string[]): BatchGetRequests => ({
  table: { Keys: names.map((pk) => ({ pk })), ConsistentRead: true },
});
const namesIn = (requests: BatchGetRequests): string[] =>
  (requests['table']?.Keys ?? []).map(({ pk }) => String(pk));

/** Answers with at most so many items at a time, and never with those that are stuck. */
function throttledTable({ perAnswer = 100, stuck = [] as string[] }) {
  const asked: BatchGetRequests[] = [];
  const ask = async (requests: BatchGetRequests) => {
    asked.push(requests);
    const names = namesIn(requests);
    const answered = names.filter((name) => !stuck.includes(name)).slice(0, perAnswer);
    const left = names.filter((name) => !answered.includes(name));
    return await Promise.resolve({
      Responses: { table: answered },
      UnprocessedKeys: left.length > 0 ? request(...left) : {},
    });
  };
  return { ask, asked };
}

describe('a batch read', () => {
  test('asks once if the answer is whole', async () => {
    const { ask, asked } = throttledTable({});
    expect((await batchGet(ask, request('a', 'b'))).get('table')).toEqual(['a', 'b']);
    expect(asked).toHaveLength(1);
  });

  test('asks for the rest, with the same options, until it has everything', async () => {
    const { ask, asked } = throttledTable({ perAnswer: 1 });
    expect((await batchGet(ask, request('a', 'b', 'c'))).get('table')).toEqual(['a', 'b', 'c']);
    expect(asked.map(namesIn)).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
    expect(asked.every((requests) => requests['table']?.ConsistentRead)).toBe(true);
  });

  test('fails, and never answers with a part, if a key is left out again and again', async () => {
    const { ask, asked } = throttledTable({ stuck: ['b'] });
    await expect(batchGet(ask, request('a', 'b'))).rejects.toBeInstanceOf(ConflictError);
    expect(asked.length).toBeLessThanOrEqual(10);
  });
});
