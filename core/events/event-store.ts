import { setTimeout } from 'node:timers/promises';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Event } from './event.ts';
import { batchGet } from '../aws/batch-get.ts';
import {
  type BatchGetRequests,
  withStoreErrors,
  ConditionsFailed,
  transact,
} from '../aws/dynamodb-client.ts';
import { contentPaths, digestOf, eventWrites, storedDigest, type Content } from './event-items.ts';
import { eventKey } from './event-keys.ts';

type Key = ReturnType<typeof eventKey>;

const text = ({ pk, sk }: Key): string => `${sk} ${pk}`;

/**
 * Milliseconds by which the clocks of two Lambdas may differ. They follow NTP, and rarely differ by one. Most of this time
 * has passed when the transaction is done.
 */
const clockToleranceMs = 20;

/** Waits for what is left of so many milliseconds from now. A timer may end a little early. */
function timePasses(milliseconds: number): () => Promise<void> {
  const start = performance.now();
  const left = (): number => milliseconds - (performance.now() - start);
  return async () => {
    for (let rest = left(); rest >= 0; rest = left()) await setTimeout(rest);
  };
}

/** Events of other producers, in the events table. The service's own events are there, too (`Outbox`). */
export class EventStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: () => number;

  constructor(client: DynamoDBDocumentClient, table: string, clock: () => number = Date.now) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Accepts all of the events or none. Events that were accepted before stay unchanged. It takes one transaction if all are
   * new. If some are known, it takes one read more, and one transaction more if others are new.
   *
   * @returns positions of the events whose id another event has; if there are any, nothing was accepted
   * @throws {@link ConflictError} to be run again
   */
  async append(tenantId: string, events: readonly Event[]): Promise<number[]> {
    if (await this.#commit(tenantId, events)) return [];
    const known = await this.#digests(events.map((event) => eventKey(tenantId, event)));
    const digestFor = (event: Event) => known.get(text(eventKey(tenantId, event)));
    const isTaken = (event: Event) => (digestFor(event) ?? digestOf(event)) !== digestOf(event);
    const taken = events.flatMap((event, position) => (isTaken(event) ? [position] : []));
    if (taken.length > 0) return taken;

    const fresh = events.filter((event) => digestFor(event) === undefined);
    if (fresh.length === 0 || (await this.#commit(tenantId, fresh))) return [];
    throw new ConflictError('accepted meanwhile');
  }

  /** @returns false if an id is known */
  async #commit(tenantId: string, events: readonly Event[]): Promise<boolean> {
    const acceptedAt = this.#clock();
    // One more, as a time of whole milliseconds may be almost one behind.
    const settled = timePasses(clockToleranceMs + 1);
    try {
      await transact(
        this.#client,
        eventWrites(this.#table, { tenantId, events, acceptedAt, by: 'platform' }),
      );
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
    await settled();
    return true;
  }

  async #digests(keys: Key[]): Promise<Map<string, string>> {
    const ask = async (RequestItems: BatchGetRequests) =>
      await withStoreErrors(async () => await this.#client.send(new BatchGetCommand({ RequestItems })));
    const answer = await batchGet(ask, {
      [this.#table]: { Keys: keys, ProjectionExpression: `pk, sk, ${contentPaths}`, ConsistentRead: true },
    });
    const items = (answer.get(this.#table) ?? []) as (Key & Content)[];
    return new Map(items.map((item) => [text(item), storedDigest(item)]));
  }
}
