import type { Shard, _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { FilterPattern } from '../../../lambdas/filter-pattern.ts';
import type { Invocation } from '../lambda/function.ts';
import type { Checkpoints } from './checkpoints.ts';
import { passes } from './filter.ts';
import { Backoff, abortableSleep } from './backoff.ts';
import { lambdaRecordOf, sequenceNumberOf } from './stream-record.ts';
import type { ShardedStream } from './stream-shards.ts';
import type { DynamoDBRecord } from 'aws-lambda';
import { failedItems } from './batch-response.ts';

type StreamBatchOptions = {
  invoke: (records: DynamoDBRecord[]) => Promise<Invocation>;
  /** Called when all records up to this one are done. */
  done: (sequenceNumber: string) => void;
  /** Called at the first failure in a row. */
  failed: (invocation: Invocation) => void;
  signal: AbortSignal;
};

/**
 * Delivers records to a function in order, and retries until they are done: from the first failed record on or, if the whole
 * batch failed, in halves, which isolates a bad record. Lambda stops at the record's maximum age; the local stack retries
 * for as long as it runs.
 */
async function deliver(records: DynamoDBRecord[], options: StreamBatchOptions): Promise<void> {
  const backoff = new Backoff(options.signal);
  const batches = [records];
  while (!options.signal.aborted) {
    const batch = batches.shift();
    if (!batch) return;
    const invocation = await options.invoke(batch);
    const failed = failedItems(invocation, batch.map(sequenceNumberOf));
    const lowest = batch.findIndex((record) => failed.has(sequenceNumberOf(record)));
    const last = lowest === -1 ? batch.at(-1) : batch[lowest - 1];
    if (last) options.done(sequenceNumberOf(last));
    if (last) backoff.reset();
    if (lowest === -1) continue;
    if (backoff.failures === 0) options.failed(invocation);
    batches.unshift(...retriesOf(batch, lowest, failed.size === batch.length));
    await backoff.wait();
  }
}

function retriesOf(batch: DynamoDBRecord[], lowest: number, isWhole: boolean): DynamoDBRecord[][] {
  if (!isWhole || batch.length === 1) return [batch.slice(lowest)];
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

export type StreamPollerOptions = {
  lambda: string;
  filters: readonly FilterPattern[];
  batchSize: number;
  region: string;
  open: () => Promise<ShardedStream>;
  invoke: (event: object) => Promise<Invocation>;
  checkpoints: Checkpoints;
  /** Resolves with true when the table was written to since this time, and with false after the longest wait. */
  untilWritten: (since: number, longestMs: number) => Promise<boolean>;
  failed: (invocation: Invocation) => void;
  signal: AbortSignal;
};

/** Lambda also polls four times a second. */
const pollMs = 250;
/** Most records are in the stream when the write returns. What was written so long before a poll may have missed it. */
const latestArrivalMs = 150;
/** When nothing was written, polls become rarer: they took most of the CPU of an idle stack. */
const shortestIdleMs = 1_000;
const longestIdleMs = 60_000;
/** The shards are also listed at the end of each shard; this finds children that are listed late. */
const listIntervalMs = 10_000;
/** While a shard is being read, its end tells when there are others. */
const idleListIntervalMs = 60_000;

/** Lambda's event source mapping of a stream: reads every shard in order, a parent before its children. */
export class StreamPoller {
  readonly #options: StreamPollerOptions;
  readonly #reading = new Map<string, Promise<void>>();
  readonly #backoff: Backoff;
  #stream: ShardedStream | undefined;

  constructor(options: StreamPollerOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.signal);
  }

  /** Runs until the signal aborts, and retries failures. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      try {
        this.#stream ??= await this.#options.open();
        this.#begin(await this.#stream.list());
        const interval = this.#reading.size > 0 ? idleListIntervalMs : listIntervalMs;
        await Promise.race([...this.#reading.values(), abortableSleep(interval, signal)]);
      } catch {
        await this.#backoff.wait();
      }
    }
    await Promise.allSettled(this.#reading.values());
  }

  #begin(shards: Shard[]): void {
    const { lambda, checkpoints } = this.#options;
    const listed = new Set(shards.map(({ ShardId = '' }) => ShardId));
    checkpoints.retain(lambda, listed);
    const isOpen = (id: string): boolean => listed.has(id) && !checkpoints.get(lambda, id).isClosed;
    for (const { ShardId: id = '', ParentShardId: parent = '' } of shards) {
      if (!isOpen(id) || isOpen(parent) || this.#reading.has(id)) continue;
      const reading = this.#read(id).finally(() => this.#reading.delete(id));
      // `run` handles a failure; this only prevents an unhandled rejection.
      reading.catch(() => undefined);
      this.#reading.set(id, reading);
    }
  }

  async #read(shardId: string): Promise<void> {
    const { lambda, batchSize, checkpoints, untilWritten, signal } = this.#options;
    const stream = this.#stream;
    let iterator = await stream?.iteratorFrom(shardId, checkpoints.get(lambda, shardId));
    let idleMs = shortestIdleMs;
    while (stream && iterator !== undefined && !signal.aborted) {
      const begun = Date.now();
      const { records, next } = await stream.read(iterator, batchSize);
      this.#backoff.reset();
      await this.#deliver(shardId, stream.arn, records);
      iterator = next;
      if (records.length === batchSize || next === undefined) continue;
      await abortableSleep(Math.max(0, begun + pollMs - Date.now()), signal);
      // There may be more than one response holds.
      if (records.length > 0) continue;
      const isWritten = await untilWritten(begun - latestArrivalMs, idleMs);
      idleMs = isWritten ? shortestIdleMs : Math.min(longestIdleMs, 4 * idleMs);
    }
    if (!signal.aborted) checkpoints.set(lambda, shardId, { isClosed: true });
  }

  async #deliver(shardId: string, arn: string, read: StreamRecord[]): Promise<void> {
    const { lambda, filters, region, checkpoints, invoke, failed, signal } = this.#options;
    const done = (through: string): void => checkpoints.set(lambda, shardId, { through });
    const records = read.map((record) => lambdaRecordOf(record, { arn, region }));
    const wanted = records.filter((record) => passes(filters, record));
    if (wanted.length > 0) {
      await deliver(wanted, { invoke: async (Records) => await invoke({ Records }), done, failed, signal });
    }
    const last = read.at(-1)?.dynamodb?.SequenceNumber;
    if (last !== undefined && !signal.aborted) done(last);
  }
}
