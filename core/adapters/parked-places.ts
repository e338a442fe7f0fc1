import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Lane } from '../domain/lanes.ts';
import { describeTarget, type Target, type TargetRef } from '../domain/target.ts';
import { updateIf, type Written } from './conditional-update.ts';
import { readTarget, targetKey } from './target-store.ts';

type Place = readonly [lane: Lane, position: string];

/**
 * How far each lane of a target was parked, and how far it was delivered from there; a lane in which the two differ
 * has events waiting.
 *
 * Why a later event never overtakes one of the same ordering key that waits:
 *
 * 1. Events of a key come through one shard of the events table's stream, whose batches are handled one after the
 *    other; a batch that fails comes again before any later one.
 * 2. The exporter succeeds with a batch only when the place of what it parked is written here. The next batch reads
 *    the target after that, and reads what was written last, so it knows.
 * 3. A lane counts as drained through a place only after everything up to it was delivered: SQS hands out a lane's
 *    messages in order, and the redelivery writes the place after the delivery and before it deletes the message.
 * 4. So where the exporter finds nothing waiting, every earlier event of the lane's keys was delivered, and it may
 *    deliver. Where it finds something, it parks at the end of the same queue, behind all that came before.
 *
 * Places are those that SQS gave, and both only rise, by conditional writes: several exporters (one a shard) and the
 * redelivery may write in any order and any number of times. A counter would drift with every write that is repeated or
 * lost, and either let events overtake or never come back to zero.
 *
 * An exporter that dies between parking and writing leaves messages here unknown. Its batch comes again before anything
 * later does, so whichever way those events arrive first, they arrive in order; the second time is a duplicate. A message
 * that is lost to the queue's retention leaves its lane waiting until the next one has gone through: that one mends it.
 */
export class ParkedPlaces {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Records were parked, the last of each lane at its place here. */
  async parked(ref: TargetRef, positions: ReadonlyMap<Lane, string>, events: number): Promise<void> {
    let places: Place[] = [...positions];
    // Each repetition has a lane less: another exporter parked behind it, and its place stands for both.
    for (let left = places.length; left >= 0; left -= 1) {
      const { applied, item } = await this.#raise(ref, 'parkedThrough', places, events);
      if (applied || !item) return;
      const reached = readTarget(item)?.parkedThrough ?? {};
      places = places.filter(([lane, position]) => position > (reached[lane] ?? ''));
    }
    throw new Error(`The places of ${describeTarget(ref)} cannot be written`);
  }

  /**
   * Everything of the lane up to this place was delivered.
   *
   * @returns the target as it is now, if there is one
   */
  async drained(ref: TargetRef, place: Place, events: number): Promise<Target | undefined> {
    const { item } = await this.#raise(ref, 'drainedThrough', [place], -events);
    return item && readTarget(item);
  }

  async #raise(
    ref: TargetRef,
    which: 'parkedThrough' | 'drainedThrough',
    places: readonly Place[],
    events: number,
  ): Promise<Written> {
    const sets = places.map((_, index) => `${which}.#lane${index} = :position${index}`);
    const rises = places.map(
      (_, index) =>
        `(attribute_not_exists(${which}.#lane${index}) OR ${which}.#lane${index} < :position${index})`,
    );
    return await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(ref),
      update: `${sets.length > 0 ? `SET ${sets.join(', ')} ` : ''}ADD parkedCount :events`,
      condition: ['attribute_exists(pk)', ...rises].join(' AND '),
      names: Object.fromEntries(places.map(([lane], index) => [`#lane${index}`, lane])),
      values: {
        events,
        ...Object.fromEntries(places.map(([, position], index) => [`position${index}`, position])),
      },
    });
  }
}
