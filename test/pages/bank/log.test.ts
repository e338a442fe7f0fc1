import { expect, test } from '@jest/globals';
import { memoryLog } from '../../../pages/bank/server/live/log.ts';

const call = (at: number) => ({ name: 'call' as const, at, data: { at } });

test('messages of several topics have one order, and those after an id can be read', () => {
  const log = memoryLog(() => 1000);
  log.append('session:a', call(1));
  log.append('user:u', call(2));
  log.append('session:b', call(3));
  log.append('session:a', call(4));
  const all = log.after(['user:u', 'session:a'], 0);
  expect(all.map(({ at }) => at)).toEqual([1, 2, 4]);
  expect(log.after(['user:u', 'session:a'], all[1]?.id ?? 0).map(({ at }) => at)).toEqual([4]);
});

test('ids continue after a restart, so that a page that reconnects gets new messages', () => {
  const before = memoryLog(() => 1000);
  before.append('user:u', call(1));
  const [last] = before.after(['user:u'], 0);
  const after = memoryLog(() => 1001);
  after.append('user:u', call(2));
  expect(after.after(['user:u'], last?.id ?? 0)).toHaveLength(1);
});

test('only the latest messages of a topic are kept, and only a limited number of topics', () => {
  const log = memoryLog();
  for (let at = 1; at <= 250; at += 1) log.append('session:busy', call(at));
  const kept = log.after(['session:busy'], 0);
  expect(kept).toHaveLength(200);
  expect(kept.at(-1)).toMatchObject({ at: 250 });
  for (let index = 0; index < 500; index += 1) log.append(`session:${index}`, call(1));
  expect(log.after(['session:busy'], 0)).toEqual([]);
  expect(log.after(['session:499'], 0)).toHaveLength(1);
});

test('waiting ends with a message of the topic, or with an abort', async () => {
  const log = memoryLog();
  const never = new AbortController();
  const waiting = log.next(['user:u'], never.signal);
  log.append('user:u', call(1));
  await waiting;
  const given = new AbortController();
  const aborted = log.next(['user:u'], given.signal);
  given.abort();
  await aborted;
  await log.next(['user:u'], given.signal);
});
