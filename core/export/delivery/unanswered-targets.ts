import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { propertiesOf } from '../kinds/records.ts';
import type { Target } from '../targets/target.ts';
import type { PackedRecord } from './packing.ts';
import type { Delivery } from './send-with-retries.ts';

/**
 * Targets that may have taken events without an answer, until they answer again, and how many events the next call carries. It is
 * kept in memory, because the record of a target forgets a fault with the first delivery of any lane.
 */
export class UnansweredTargets {
  readonly #sizes = new Map<string, number>();

  note(ref: TargetRef, records: readonly PackedRecord[], { undelivered, fault }: Delivery): void {
    const isMoving = undelivered.length < records.length;
    // Where some answers come and others do not, calls go on to grow: otherwise no more would ever arrive than is recorded.
    const [next] = undelivered;
    const size = next && (isMoving || next.alone) ? Math.max(1, Math.floor(next.size / 4)) : 1;
    if (fault?.unanswered) this.#sizes.set(describeTarget(ref), size);
    else if (isMoving) this.#sizes.delete(describeTarget(ref));
  }

  /**
   * How many events the next call carries, if its answer may be lost, too. Each call behind it carries twice as many, so that few
   * come twice. The receiver of a webhook knows a call that is repeated as it was.
   */
  firstSize(target: Target): number | undefined {
    if (propertiesOf(target.destination).isSigned) return undefined;
    return this.#sizes.get(describeTarget(target)) ?? (target.fault?.unanswered ? 1 : undefined);
  }
}
