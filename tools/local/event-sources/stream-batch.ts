import type { DynamoDBRecord } from 'aws-lambda';
import type { Invocation } from '../lambda/function.ts';
import { failedItems } from './batch-response.ts';
import { Backoff } from './backoff.ts';
import { sequenceNumberOf } from './stream-record.ts';

export type StreamBatchOptions = {
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
export async function deliver(records: DynamoDBRecord[], options: StreamBatchOptions): Promise<void> {
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
