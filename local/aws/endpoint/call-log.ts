import type { ServiceName } from './fault-schema.ts';
import { createRing, type Ring } from './ring.ts';

/** One call as a front saw it, whatever came of it. */
export type Call = {
  at: number;
  /** Access key id; empty for an unsigned call. */
  caller: string;
  service: ServiceName;
  operation: string;
  /** Tables (`name` or `name/index/index`), streams, buckets (`name` or `name/key`), queues; ARNs of roles and SNS resources. */
  resources: readonly string[];
  /** What a transaction does to each table: IAM asks for these permissions, not for the transaction's. */
  parts?: readonly { operation: string; resource: string }[];
};

export type Calls = Ring<Call>;

const KEPT_CALLS = 20_000;

export function createCalls(): Calls {
  return createRing(KEPT_CALLS);
}
