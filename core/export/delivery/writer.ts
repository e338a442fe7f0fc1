import type { Kind } from '../kinds/records.ts';
import type { Target } from '../targets/target.ts';
import type { PackedRecord } from './packing.ts';
import type { Delivery } from './send-with-retries.ts';

/** Sends packed records to targets of one kind, in order within each lane. */
export type Writer = {
  /**
   * Deadline and patience as for {@link sendWithRetries}.
   *
   * @param target whose destination is of the writer's kind
   */
  deliver(
    target: Target,
    records: readonly PackedRecord[],
    deadline: number,
    patienceMs?: number,
  ): Promise<Delivery>;
};

export type Writers = Readonly<Record<Kind, Writer>>;
