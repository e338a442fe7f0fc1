import { afterEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { Checkpoints } from '../../../../tools/local/event-sources/checkpoints.ts';
import { StreamPoller } from '../../../../tools/local/event-sources/stream-poller.ts';
import type { Invocation } from '../../../../tools/local/lambda/function.ts';
import { FakeStream } from './fake-stream.ts';

const lambda = 'reader';
let stopping = new AbortController();
let running: Promise<void> | undefined;

afterEach(async () => {
  stopping.abort();
  await running;
  stopping = new AbortController();
});

const done: Invocation = { payload: null };
const failed = (...numbers: number[]): Invocation => ({
  payload: { batchItemFailures: numbers.map((number) => ({ itemIdentifier: String(number) })) },
});
const broken: Invocation = { error: { errorType: 'Error', errorMessage: 'no' } };

type UntilWritten = (since: number, longestMs: number) => Promise<boolean>;

/** Reads the stream with a function that returns the given results, until all of them are used. */
async function read(
  stream: FakeStream,
  answer: (numbers: number[], call: number) => Invocation,
  options: { calls: number; checkpoints?: Checkpoints; untilWritten?: UntilWritten },
): Promise<number[][]> {
  const batches: number[][] = [];
  await new Promise<void>((resolve) => {
    const poller = new StreamPoller({
      lambda,
      filters: [],
      batchSize: 1_000,
      region: 'eu-central-1',
      open: () => Promise.resolve(stream),
      invoke: (event) => {
        const { Records } = event as { Records: DynamoDBRecord[] };
        const numbers = Records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));
        batches.push(numbers);
        if (batches.length === options.calls) setTimeout(resolve, 50);
        return Promise.resolve(answer(numbers, batches.length));
      },
      checkpoints: options.checkpoints ?? new Checkpoints(undefined),
      untilWritten: options.untilWritten ?? (async () => await Promise.resolve(true)),
      failed: () => undefined,
      signal: stopping.signal,
    });
    running = poller.run();
  });
  return batches;
}

const oneShard = (...numbers: number[]) => new FakeStream([{ id: 'a', numbers }]);

describe('a batch', () => {
  test('is not repeated after success', async () => {
    expect(await read(oneShard(1, 2, 3), () => done, { calls: 1 })).toEqual([[1, 2, 3]]);
  });

  test('is retried from the first failed record after a partial failure', async () => {
    const answer = (_: number[], call: number) => (call === 1 ? failed(4, 2) : done);
    expect(await read(oneShard(1, 2, 3, 4), answer, { calls: 2 })).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
    ]);
  });

  test('is halved until the bad record is alone if it fails as a whole, and later records wait', async () => {
    let isMended = false;
    const answer = (numbers: number[], call: number): Invocation => {
      isMended = call >= 6;
      return numbers.includes(3) && !isMended ? broken : done;
    };
    expect(await read(oneShard(1, 2, 3, 4), answer, { calls: 7 })).toEqual([
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
      [3],
      [3],
      [3],
      [4],
    ]);
  });

  test('is also halved if all records are named as failed', async () => {
    const answer = (_: number[], call: number) => (call === 1 ? failed(1, 2) : done);
    expect(await read(oneShard(1, 2), answer, { calls: 3 })).toEqual([[1, 2], [1], [2]]);
  });
});

describe('a shard', () => {
  test('is read after its parents, and its children after it', async () => {
    const stream = new FakeStream([
      { id: 'c', parent: 'b', numbers: [5, 6] },
      { id: 'b', parent: 'a', numbers: [3, 4], isClosed: true },
      { id: 'a', numbers: [1, 2], isClosed: true },
    ]);
    expect(await read(stream, () => done, { calls: 3 })).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });

  test('is read at once if its parent no longer exists', async () => {
    const stream = new FakeStream([{ id: 'b', parent: 'a', numbers: [3] }]);
    expect(await read(stream, () => done, { calls: 1 })).toEqual([[3]]);
  });

  test('is followed by its children after a split', async () => {
    const stream = new FakeStream([{ id: 'a', numbers: [1] }]);
    const answer = (numbers: number[]): Invocation => {
      if (numbers.includes(1)) stream.split('a', { id: 'b', parent: 'a', numbers: [2] });
      return done;
    };
    expect(await read(stream, answer, { calls: 2 })).toEqual([[1], [2]]);
  });

  test('does not delay others when its records fail', async () => {
    const stream = new FakeStream([
      { id: 'a', numbers: [1] },
      { id: 'b', numbers: [2] },
    ]);
    const batches = await read(stream, (numbers) => (numbers.includes(1) ? broken : done), { calls: 4 });
    expect(batches.filter(([number]) => number === 2)).toHaveLength(1);
  });
});

describe('a reader that restarts', () => {
  test('continues after the last completed record', async () => {
    const checkpoints = new Checkpoints(undefined);
    const stream = oneShard(1, 2, 3);
    await read(stream, (numbers) => (numbers.length === 3 ? failed(3) : broken), { calls: 3, checkpoints });
    stopping.abort();
    await running;
    stopping = new AbortController();
    expect(await read(stream, () => done, { calls: 1, checkpoints })).toEqual([[3]]);
  });

  test('continues at the same position after an error of the stream', async () => {
    const stream = oneShard(1, 2);
    stream.failNext(5);
    expect(await read(stream, () => done, { calls: 1 })).toEqual([[1, 2]]);
  });
});

test('a reader checks again for records that were written while it waited', async () => {
  const stream = oneShard(1);
  let asked = 0;
  const untilWritten = async (): Promise<boolean> => {
    asked += 1;
    stream.write('a', asked + 1);
    return await Promise.resolve(true);
  };
  const batches = await read(stream, () => done, { calls: 3, untilWritten });
  expect(batches).toEqual([[1], [2], [3]]);
});

test('a reader checks less and less often while nothing is written, and often again after a write', async () => {
  const waits: number[] = [];
  const stream = oneShard(1);
  const untilWritten = async (_since: number, longestMs: number): Promise<boolean> => {
    waits.push(longestMs);
    const isWritten = waits.length === 6;
    if (waits.length === 7) stream.write('a', 2);
    return await Promise.resolve(isWritten);
  };
  expect(await read(stream, () => done, { calls: 2, untilWritten })).toEqual([[1], [2]]);
  expect(waits.slice(0, 7)).toEqual([1_000, 4_000, 16_000, 60_000, 60_000, 60_000, 1_000]);
});

test('a reader checks again for records written shortly before or after its last check', async () => {
  const begun = Date.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  const untilWritten = async (since: number): Promise<boolean> => {
    resolve(since);
    return await Promise.resolve(true);
  };
  await read(oneShard(1), () => done, { calls: 1, untilWritten });
  // Of the second poll, which finds nothing and began about 250 ms after the first one.
  const since = await promise;
  expect(since).toBeGreaterThan(begun);
  expect(since).toBeLessThanOrEqual(Date.now() - 150);
});
