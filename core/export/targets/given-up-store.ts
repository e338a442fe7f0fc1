import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf, type Assignments, type Condition } from '../../aws/conditional-writer.ts';
import type { Write } from '../../aws/dynamodb-client.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { withLoss, withRefused, type Loss, type Refused } from './firehose-progress.ts';
import { targetKey } from './target-item.ts';
import { TargetStore } from './target-store.ts';
import type { Target } from './target.ts';

/**
 * Writes into a target's record what is known of its bucket.
 *
 * @returns false if the record's report, its losses or its destination are not those that were read
 */
export async function writeReport(
  client: DynamoDBDocumentClient,
  table: string,
  seen: Target,
  assignments: Assignments,
  together: readonly Write[] = [],
): Promise<boolean> {
  const conditions = [
    { condition: 'destination = :destination', values: { destination: seen.destination } },
    isSame('bucketTrouble', seen.bucketTrouble),
    isSame('givenUp', seen.givenUp),
  ];
  const { applied } = await assignIf(
    client,
    { table, key: targetKey(seen), together },
    assignments,
    conditions,
  );
  return applied;
}

const isSame = (name: 'bucketTrouble' | 'givenUp', value: object | undefined): Condition =>
  value === undefined
    ? { condition: `attribute_not_exists(${name})` }
    : { condition: `${name} = :${name}`, values: { [name]: value } };

/** Events that targets got and that did not arrive, in the targets' records. */
export class GivenUpEvents {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #targets: TargetStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#targets = new TargetStore(client, table);
  }

  /** Firehose wrote events under `errors/`, the last object at this time. */
  async failed(seen: Target, loss: Loss, errorsThrough: number): Promise<boolean> {
    return await this.#write(seen, { set: { ...withLoss(seen, loss), errorsThrough } });
  }

  /** The destination will never take these events. */
  async refused(seen: Target, refused: Refused, now: number): Promise<void> {
    const givenUp = withRefused(seen, refused, now);
    if (!givenUp || (await this.#write(seen, { set: { givenUp } }))) return;
    const current = await this.#targets.find(seen);
    if (current) await this.refused(current, refused, now);
  }

  /** Events accepted in this range were replayed: they are not lost any more. */
  async replayed(ref: TargetRef, { from, to }: { from: number; to: number }): Promise<void> {
    const seen = await this.#targets.find(ref);
    const { givenUp = [] } = seen ?? {};
    const left = givenUp.filter((one) => one.from < from || one.to > to);
    if (!seen || left.length === givenUp.length) return;
    // Those that were dismissed and are no longer in the record stay lost.
    const found = givenUp.filter((one) => !left.includes(one));
    const count = found.reduce((total, { events = 0 }) => total + events, 0);
    const lostCount = Math.max(0, (seen.lostCount ?? 0) - count);
    const isWritten = await this.#write(seen, {
      set: { ...(left.length > 0 && { givenUp: left }), ...(lostCount > 0 && { lostCount }) },
      remove: [...(left.length > 0 ? [] : ['givenUp']), ...(lostCount > 0 ? [] : ['lostCount'])],
    });
    if (!isWritten) await this.replayed(ref, { from, to });
  }

  /**
   * Nobody will replay the events that were given up until now. They stay lost, and count as such.
   *
   * @param together the event that says so
   */
  async dismissed(seen: Target, now: number, together: readonly Write[]): Promise<boolean> {
    const givenUp = seen.givenUp?.map((one) => ({ dismissedAt: now, ...one })) ?? [];
    return await this.#write(seen, { set: { givenUp } }, together);
  }

  async #write(seen: Target, assignments: Assignments, together?: readonly Write[]): Promise<boolean> {
    return await writeReport(this.#client, this.#table, seen, assignments, together);
  }
}
