import type { ServiceName } from './fault-schema.ts';
import { createRingBuffer, type RingBuffer } from './ring-buffer.ts';

/** A call that reached an endpoint, whether it succeeded or not. */
export type RecordedCall = {
  at: number;
  /** Access key id; empty for an unsigned call. */
  caller: string;
  service: ServiceName;
  operation: string;
  /** From 1; the SDK repeats what was not answered in time. */
  attempt: number;
  /** Tables (`name` or `name/index/index`), streams, buckets (`name` or `name/key`), queues; ARNs of roles and SNS resources. */
  resources: readonly string[];
  /** X-Ray's id of what it was called for, if a Lambda called. */
  trace?: string;
  /** The operations inside a transaction: IAM checks these permissions, not one for the transaction. */
  parts?: readonly { operation: string; resource: string }[];
};

export type CallLog = RingBuffer<RecordedCall>;

/** Two busy minutes of a suite on a busy machine. */
const keptCalls = 60_000;

export function createCallLog(): CallLog {
  return createRingBuffer(keptCalls);
}
