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
