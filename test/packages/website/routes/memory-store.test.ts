import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '#website';

const ttlSeconds = 60;

describe('the store in memory', () => {
  test('keeps, replaces and returns a value once', async () => {
    const store = memoryStore();
    await store.put('a', '1', { ttlSeconds });
    await store.put('a', '2', { ttlSeconds });
    expect(await store.get('a')).toBe('2');
    const taken = await Promise.all([store.take('a'), store.take('a'), store.take('a')]);
    expect(taken).toEqual(['2', undefined, undefined]);
    expect(await store.get('a')).toBeUndefined();
  });

  test('forgets a value after its time', async () => {
    let now = 0;
    const store = memoryStore({ now: () => now });
    await store.put('a', '1', { ttlSeconds });
    await store.put('b', '1', { ttlSeconds });
    now = 59_999;
    expect(await store.get('a')).toBe('1');
    now = 60_000;
    expect(await store.get('a')).toBeUndefined();
    expect(await store.take('b')).toBeUndefined();
  });

  test('has a limit: expired values are removed first, then the oldest', async () => {
    let now = 0;
    const store = memoryStore({ maxEntries: 3, now: () => now });
    await store.put('old', '1', { ttlSeconds: 600 });
    await store.put('over', '1', { ttlSeconds: 1 });
    await store.put('new', '1', { ttlSeconds });
    now = 2000;
    await store.put('newer', '1', { ttlSeconds });
    expect(await store.get('old')).toBe('1');
    await store.put('newest', '1', { ttlSeconds });
    expect(await store.get('old')).toBeUndefined();
    expect(await store.get('new')).toBe('1');
    await store.put('new', '2', { ttlSeconds });
    expect(await store.get('newer')).toBe('1');
  });
});
