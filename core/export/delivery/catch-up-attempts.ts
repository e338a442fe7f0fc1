import { describeTarget, type TargetRef } from '../../events/target-ref.ts';

/** Milliseconds from an attempt that failed to the next. */
const pauseMs = 5_000;

/** The last attempts that failed, so that the exporter does not wait for the same target with every batch. */
export class CatchUpAttempts {
  readonly #failed = new Map<string, number>();

  mayTry(ref: TargetRef, now: number): boolean {
    return now - (this.#failed.get(describeTarget(ref)) ?? -Infinity) >= pauseMs;
  }

  failed(ref: TargetRef, now: number): void {
    for (const [name, at] of this.#failed) if (now - at >= pauseMs) this.#failed.delete(name);
    this.#failed.set(describeTarget(ref), now);
  }
}
