import { ConsumerError } from './consumer-error.ts';
import { keyOf, orderingKeyOf, type Event } from './event.ts';
import { SeenEvents, type EventMemory } from './event-memory.ts';
import { handlerOf, type Handler, type Handlers } from './handlers.ts';

export type ConsumerOptions = {
  /** One function for all events, or one for each type. */
  handlers: Handler | Handlers;
  /** By default the last 100,000 events, in the memory of this process. */
  memory?: EventMemory;
  /** How many aggregates are handled at the same time: 1 by default. */
  concurrency?: number;
};

/** The first batch that was not handled completely, and why. */
export type BatchFailure = { index: number; error: unknown };

type Entry = { event: Event; index: number };

/**
 * Handles each event once, and those of an aggregate one after the other. An event whose handler fails is not remembered, and
 * the later events of its aggregate wait: they all come again.
 */
export class Consumer {
  readonly #handler: Handler;
  readonly #memory: EventMemory;
  readonly #concurrency: number;
  /** One call at a time, so that two calls cannot handle the same event. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ handlers, memory = new SeenEvents(), concurrency = 1 }: ConsumerOptions) {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new ConsumerError('invalid-options', 'concurrency is a whole number from 1.');
    this.#handler =
      typeof handlers === 'function'
        ? handlers
        : async (event) => {
            await handlerOf(event, handlers)(event);
          };
    this.#memory = memory;
    this.#concurrency = concurrency;
  }

  /** @throws what the handler of the first event that failed has thrown */
  async handle(events: readonly Event[]): Promise<void> {
    const failure = await this.handleBatches(events.map((event) => [event]));
    if (failure) throw failure.error;
  }

  /**
   * Handles batches that can fail one by one, such as the records of a shard. Events of later batches may have been handled
   * when one fails. They are remembered, so that they are dropped when they come again.
   */
  async handleBatches(batches: readonly (readonly Event[])[]): Promise<BatchFailure | undefined> {
    const turn = this.#last.then(async () => await this.#handleInOrder(batches));
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #handleInOrder(batches: readonly (readonly Event[])[]): Promise<BatchFailure | undefined> {
    const entries = batches.flatMap((events, index) => events.map((event) => ({ event, index })));
    const chains = this.#concurrency === 1 ? [entries] : groupByOrderingKey(entries);
    let failure: BatchFailure | undefined;
    const handleChain = async (chain: readonly Entry[]): Promise<void> => {
      for (const { event, index } of chain) {
        if (failure && failure.index <= index) return;
        try {
          await this.#handleOnce(event);
        } catch (error) {
          if (!failure || index < failure.index) failure = { index, error };
          return;
        }
      }
    };
    await eachWithLimit(chains, this.#concurrency, handleChain);
    return failure;
  }

  async #handleOnce(event: Event): Promise<void> {
    const key = keyOf(event);
    if (await this.#memory.has(key)) return;
    await this.#handler(event);
    await this.#memory.add(key);
  }
}

function groupByOrderingKey(entries: readonly Entry[]): Entry[][] {
  const chains = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = orderingKeyOf(entry.event);
    const chain = chains.get(key);
    if (chain) chain.push(entry);
    else chains.set(key, [entry]);
  }
  return [...chains.values()];
}

async function eachWithLimit<T>(
  items: readonly T[],
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
