import { expect, test } from '@jest/globals';
import { eventStream, type EventStreamOptions } from '../../../pages/bank/server/live/event-stream.ts';
import { memoryLog } from '../../../pages/bank/server/live/log.ts';
import { OpenStreams } from '../../../pages/bank/server/live/live-feed.ts';

function opened(options: Partial<EventStreamOptions> = {}) {
  const log = memoryLog();
  const ending = new AbortController();
  let ends = 0;
  const response = eventStream({
    ...{ log, topics: ['session:s'], since: 10, lastEventId: 0, signal: ending.signal },
    onEnd: () => void (ends += 1),
    ...options,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value === undefined ? undefined : new TextDecoder().decode(value);
  };
  return { log, ending, response, reader, next, ends: () => ends };
}

const call = { name: 'call' as const, at: 10, data: { text: 'ä\nb' } };

test('the stream is not cached, and states when to reconnect', async () => {
  const { response, next } = opened();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  });
  expect(await next()).toBe('retry: 1000\n\n');
});

test('a message has an id, a name and its data in one line', async () => {
  const { log, next } = opened();
  await next();
  log.append('session:s', call);
  expect(await next()).toMatch(/^id: \d+\nevent: call\ndata: \{"text":"ä\\nb"\}\n\n$/);
});

test('messages before the last id are omitted', async () => {
  const { log, next } = opened();
  log.append('session:s', { ...call, at: 9 });
  log.append('session:s', call);
  const [text = ''] = [await next()];
  expect(text.match(/event: call/g)).toHaveLength(1);
});

test('a comment keeps the connection open while nothing happens', async () => {
  const { next } = opened({ heartbeatMs: 5 });
  await next();
  expect(await next()).toBe(': heartbeat\n\n');
});

test('the stream ends with its signal, and after its longest time', async () => {
  for (const { ending, next, ends, longest } of [
    { ...opened(), longest: false },
    { ...opened({ longestMs: 5 }), longest: true },
  ]) {
    if (!longest) {
      await next();
      ending.abort();
    }
    while ((await next()) !== undefined) continue;
    expect(ends()).toBe(1);
  }
});

test('the stream ends when the page is closed', async () => {
  const { reader, ends, next } = opened();
  await next();
  await reader.cancel();
  expect(ends()).toBe(1);
});

test('a session has a limited number of streams, and the oldest one ends', () => {
  const streams = new OpenStreams();
  const all = Array.from({ length: 7 }, () => streams.open('s'));
  expect(all.map(({ signal }) => signal.aborted)).toEqual([true, ...Array<boolean>(6).fill(false)]);
  for (const stream of all.slice(0, 2)) streams.closed('s', stream);
  streams.open('s');
  expect(all[2]?.signal.aborted).toBe(false);
});
