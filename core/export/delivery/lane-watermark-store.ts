import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Lane } from '../targets/lanes.ts';
import { isWaiting, type FirehoseProgress, type Target } from '../targets/target.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { updateIf, type ConditionalUpdate, type Written } from '../../aws/conditional-writer.ts';
import { readTarget, targetKey } from '../targets/target-item.ts';

type Watermark = readonly [lane: Lane, position: string];

/** What became of events of a target, to be added to its counts. Those of replays count apart. */
export type Counts = { accepted: number; delivered: number; parked: number };
export type ReplayCounts = { replayed: number; replayWaiting: number };

/** A target as it was read before its events were parked or delivered. */
type Seen = TargetRef & Pick<Target, 'parkedThrough' | 'drainedThrough' | 'waitingSince'>;

export type ParkedRecords = {
  /** By lane, the position of the last record. */
  positions: ReadonlyMap<Lane, string>;
  counts: Counts | ReplayCounts;
  /** When the oldest of them began to wait, in milliseconds since 1970. */
  since: number;
  /** For replayed records: the beginning of the replay's range. */
  replayFrom?: number;
  /** If Firehose got the rest of the batch. */
  firehoseProgress?: FirehoseProgress;
};

export type DrainedRecords = {
  watermark: Watermark;
  counts: Counts | ReplayCounts;
  /** When the last of them was parked, in milliseconds since 1970: what still waits was parked after it. */
  parkedAt: number;
  /** If Firehose got them. */
  firehoseProgress?: FirehoseProgress;
};

/** The names of the counts follow from those of their attributes. */
const additionOf = (counts: Counts | ReplayCounts): string =>
  `ADD ${Object.keys(counts)
    .map((name) => `${name}Count :${name}`)
    .join(', ')}`;

const definedOnly = (attributes: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

const setsOf = (attributes: Record<string, unknown>): string[] =>
  Object.keys(attributes).map((name) => `${name} = :${name}`);

/** A write of watermarks and counts, in parts of expressions. */
type Change = {
  sets: readonly string[];
  remove?: string;
  counts: Counts | ReplayCounts;
  conditions: readonly string[];
  names?: ConditionalUpdate['names'];
  values: ConditionalUpdate['values'];
};

const isFirst = '(attribute_not_exists(countedBy) OR countedBy <> :id)';

/** A watermark only rises. It stays where another writer was further. */
const rises = (path: string, position: string): string =>
  `(attribute_not_exists(${path}) OR ${path} < ${position})`;

/**
 * How far each lane of a target was parked, and how far it was delivered from there. If the two differ, events wait in
 * the lane. Only this class counts events of a target.
 *
 * Why a later event never overtakes a waiting event with the same ordering key:
 *
 * 1. Events of a key come through one shard of the events table's stream. Its batches are handled one after the other,
 *    and a batch that fails comes again before any later batch.
 * 2. The exporter succeeds with a batch only after it has written the watermarks of the records that it parked. The next
 *    batch reads the target consistently after that, so it sees them.
 * 3. A lane counts as drained through a watermark only after everything up to it was delivered. SQS hands out a lane's
 *    messages in order. The redelivery writes the watermark after the delivery and before it deletes the message.
 * 4. So if nothing waits in a lane, every earlier event of its keys was delivered, and the exporter may deliver. If
 *    something waits, the exporter parks at the end of the same queue, behind all earlier events.
 *
 * Watermarks are sequence numbers of SQS. Conditional writes let them only rise, so several exporters (one a shard) and
 * the redelivery may write in any order and any number of times. A counter would drift with each write that is repeated
 * or lost: events would overtake others, or it would never return to zero.
 *
 * An exporter that dies between parking and writing leaves messages without a watermark. Its batch comes again before any
 * later batch, so their events arrive in order, and twice. If the queue's retention deletes a message, its lane counts as
 * waiting until the next message was delivered.
 */
export class LaneWatermarks {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Records were parked. Counts are written with the watermarks. Nothing is written without a target.
   *
   * @returns the target as it is now, if there is one
   */
  async parked(target: Seen, records: ParkedRecords): Promise<Target | undefined> {
    let watermarks: Watermark[] = [...records.positions];
    // Each repetition has one lane less: another exporter parked behind it, and its watermark covers both.
    for (let left = watermarks.length; left >= 0; left -= 1) {
      const { applied, item } = await this.#park(target, watermarks, records);
      if (applied || !item) return item && readTarget(item);
      const reached = readTarget(item)?.parkedThrough ?? {};
      watermarks = watermarks.filter(([lane, position]) => position > (reached[lane] ?? ''));
    }
    throw new Error(`The watermarks of ${describeTarget(target)} cannot be written`);
  }

  /**
   * Everything of the lane up to this watermark was delivered.
   *
   * @returns the target as it is now, if there is one
   */
  async drained(target: Seen, records: DrainedRecords): Promise<Target | undefined> {
    const [lane, position] = records.watermark;
    const isLast = (target.parkedThrough[lane] ?? '') <= position;
    const { applied, item } = await this.#drain(target, records, isLast);
    const current = item && readTarget(item);
    // More was parked in the lane since the target was read: the write must keep it waiting.
    const isOvertaken = isLast && !applied && current && position > (current.drainedThrough[lane] ?? '');
    return isOvertaken ? await this.drained(current, records) : current;
  }

  /** Events of a target of which nothing was parked. */
  async counted(ref: TargetRef, counts: Counts, firehoseProgress?: FirehoseProgress): Promise<void> {
    const others = definedOnly({ firehoseProgress });
    await this.#write(ref, {
      sets: setsOf(others),
      counts,
      conditions: [],
      values: others,
    });
  }

  async #park(
    target: Seen,
    watermarks: readonly Watermark[],
    { counts, since, replayFrom, firehoseProgress }: ParkedRecords,
  ): Promise<Written> {
    const others = definedOnly({ replayFrom, firehoseProgress });
    const lanes = watermarks.map(([lane], index) => {
      const begin = `waitingSince.#lane${index}`;
      // A time that was left in a lane in which nothing waits does not count.
      const isLeft = target.waitingSince[lane] !== undefined && !isWaiting(target, lane);
      const began = isLeft ? ':since' : `if_not_exists(${begin}, :since)`;
      return `parkedThrough.#lane${index} = :position${index}, ${begin} = ${began}`;
    });
    const conditions = watermarks.map((_, index) =>
      rises(`parkedThrough.#lane${index}`, `:position${index}`),
    );
    return await this.#write(target, {
      sets: [...lanes, ...setsOf(others)],
      counts,
      conditions,
      names: Object.fromEntries(watermarks.map(([lane], index) => [`#lane${index}`, lane])),
      values: {
        ...others,
        ...(watermarks.length > 0 && { since }),
        ...Object.fromEntries(watermarks.map(([, position], index) => [`position${index}`, position])),
      },
    });
  }

  /** @param isLast true if nothing seems to wait behind it; the write has it as a condition */
  async #drain(ref: TargetRef, records: DrainedRecords, isLast: boolean): Promise<Written> {
    const { watermark, counts, parkedAt, firehoseProgress } = records;
    const others = definedOnly({ firehoseProgress });
    const [lane, position] = watermark;
    const nothingBehind = '(attribute_not_exists(parkedThrough.#lane) OR parkedThrough.#lane <= :position)';
    return await this.#write(ref, {
      sets: [
        'drainedThrough.#lane = :position',
        ...(isLast ? [] : ['waitingSince.#lane = :parkedAt']),
        ...setsOf(others),
      ],
      remove: isLast ? 'REMOVE waitingSince.#lane' : '',
      counts,
      conditions: [rises('drainedThrough.#lane', ':position'), ...(isLast ? [nothingBehind] : [])],
      names: { '#lane': lane },
      values: { ...others, position, ...(!isLast && { parkedAt }) },
    });
  }

  /**
   * Counts are added once: if the answer is lost, the SDK repeats the write, and the item tells that it was made. A write of
   * somebody else in between hides that.
   */
  async #write(
    ref: TargetRef,
    { sets, remove = '', counts, conditions, names = {}, values }: Change,
  ): Promise<Written> {
    const id = randomBytes(9).toString('base64url');
    const { applied, item } = await updateIf(this.#client, {
      table: this.#table,
      key: targetKey(ref),
      update: `SET ${['countedBy = :id', ...sets].join(', ')} ${remove} ${additionOf(counts)}`,
      condition: ['attribute_exists(pk)', isFirst, ...conditions].join(' AND '),
      names,
      values: { ...values, ...counts, id },
    });
    return { applied: applied || item?.['countedBy'] === id, item };
  }
}
