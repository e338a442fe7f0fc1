import type { CommittedEvent } from '../../events/event-stream.ts';
import type { Target } from '../targets/target.ts';

/** What became of an event that does not wait for its exporter any more: it is parked, or in the dead letters, if it is kept. */
export type Handling = 'delivered' | 'kept';

type Handled = { destination: string; handling: Handling };

/** As many as a few batches have, at most 1,000 records each. */
const mostKept = 10_000;

type Of = Pick<Target, 'category' | 'destination'>;

/** The events of a stream's record have one key and one sequence, and go on together. An event may go to several targets. */
const nameOf = (target: Of, { orderingKey, sequence }: CommittedEvent): string =>
  [target.category, orderingKey, sequence].join('\n');

/**
 * Which events of a batch that comes again were delivered or kept before, so that one target or queue that fails does not give
 * all others everything twice. It is kept in memory: a Lambda that starts anew sends them again, and consumers drop the
 * duplicates.
 */
export class HandledEvents {
  readonly #handled = new Map<string, Handled>();

  /** Undefined, too, for an event that went to another destination. */
  of(target: Of, event: CommittedEvent): Handling | undefined {
    if (this.#handled.size === 0) return undefined;
    const handled = this.#handled.get(nameOf(target, event));
    return handled?.destination === JSON.stringify(target.destination) ? handled.handling : undefined;
  }

  add(target: Of, events: readonly CommittedEvent[], handling: Handling): void {
    if (this.#handled.size + events.length > mostKept) this.#handled.clear();
    const handled = { destination: JSON.stringify(target.destination), handling };
    for (const event of events) this.#handled.set(nameOf(target, event), handled);
  }
}
