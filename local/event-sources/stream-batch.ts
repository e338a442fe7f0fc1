import type { DynamoDBRecord } from 'aws-lambda';
import type { Invocation } from '../lambda/function.ts';
import { failedItems } from './batch-response.ts';
import { Backoff } from './backoff.ts';
import { sequenceNumberOf } from './stream-record.ts';

export type StreamBatchOptions = {
  invoke: (records: DynamoDBRecord[]) => Promise<Invocation>;
  /** Everything up to this record is done. */
  done: (sequenceNumber: string) => void;
  /** The function failed, for the first time in a row. */
  failed: (invocation: Invocation) => void;
  signal: AbortSignal;
};

/**
 * Brings records to a function in their order, and again until they are done: from the first that the function names as
 * failed on, or, if it failed as a whole, in halves, which parts a bad record from the good ones. Lambda gives up at the
 * age limit; here a record is kept for as long as the stack runs.
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
    batches.unshift(...again(batch, lowest, failed.size === batch.length));
    await backoff.wait();
  }
}

function again(batch: DynamoDBRecord[], lowest: number, isWhole: boolean): DynamoDBRecord[][] {
  if (!isWhole || batch.length === 1) return [batch.slice(lowest)];
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
