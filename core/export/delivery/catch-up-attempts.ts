import { describeTarget, type TargetRef } from '../../events/target-ref.ts';

/** Milliseconds from an attempt in vain to the next. */
const pause = 5_000;

/** For which targets the exporter waited in vain for the redelivery to be done: it does not with every batch. */
export class CatchUpAttempts {
  readonly #failed = new Map<string, number>();

  mayTry(ref: TargetRef, now: number): boolean {
    return now - (this.#failed.get(describeTarget(ref)) ?? -Infinity) >= pause;
  }

  failed(ref: TargetRef, now: number): void {
    for (const [name, at] of this.#failed) if (now - at >= pause) this.#failed.delete(name);
    this.#failed.set(describeTarget(ref), now);
  }
}
