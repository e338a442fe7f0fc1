import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf, type Assignments, type Condition } from '../../aws/conditional-writer.ts';
import { acceptedSince, countBefore, writingTime } from './handover.ts';
import { targetKey } from './target-item.ts';
import { TargetStore } from './target-store.ts';
import type { BucketTrouble, Fault, GivenUp, Target } from './target.ts';

/** What is found of events that Firehose got: so many were given up, of these times of acceptance. */
export type Loss = { given: GivenUp; count: number };

/**
 * What Firehose reports of buckets, in the targets' records. Each write requires that the record's report is the one that was
 * read, and returns whether it was made.
 */
export class BucketReports {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #targets: TargetStore;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#targets = new TargetStore(client, table);
  }

  /** Firehose could not write into the bucket at this time. A target that gets events is degraded, at least. */
  async failing(seen: Target, fault: Fault, errorAt: number): Promise<boolean> {
    const bucketTrouble = troubleOf(seen, fault, errorAt);
    const isWritten = await this.#write(seen, { set: { bucketTrouble } });
    if (isWritten) await this.#targets.transition(seen, 'degrade', Date.now(), { fault });
    return isWritten;
  }

  /** Of what Firehose got, more is in the bucket, or was given up. */
  async progressed(seen: Target, written: Partial<BucketTrouble>, loss?: Loss): Promise<boolean> {
    if (!seen.bucketTrouble) return false;
    const bucketTrouble = { ...seen.bucketTrouble, ...written };
    return await this.#write(seen, { set: { bucketTrouble, ...lossOf(seen, loss) } });
  }

  /** Firehose has nothing left of what it could not write. */
  async settled(seen: Target, now: number, loss?: Loss): Promise<boolean> {
    const set = lossOf(seen, loss);
    const written = await this.#update(seen, { set, remove: ['bucketTrouble'] });
    if (written) await this.#targets.settle(written, now);
    return written !== undefined;
  }

  /** Events were given up that nothing in the record counts as unwritten. */
  async lost(seen: Target, loss: Loss, errorsThrough?: number): Promise<boolean> {
    const known = errorsThrough === undefined ? {} : { errorsThrough };
    return await this.#write(seen, { set: { ...lossOf(seen, loss), ...known } });
  }

  async #write(seen: Target, assignments: Assignments): Promise<boolean> {
    return (await this.#update(seen, assignments)) !== undefined;
  }

  async #update(seen: Target, assignments: Assignments): Promise<Target | undefined> {
    const item = { table: this.#table, key: targetKey(seen) };
    const conditions = [
      { condition: 'destination = :destination', values: { destination: seen.destination } },
      isSame('bucketTrouble', seen.bucketTrouble),
      isSame('givenUp', seen.givenUp),
    ];
    const { applied } = await assignIf(this.#client, item, assignments, conditions);
    return applied ? await this.#targets.find(seen) : undefined;
  }
}

const isSame = (name: 'bucketTrouble' | 'givenUp', value: object | undefined): Condition =>
  value === undefined
    ? { condition: `attribute_not_exists(${name})` }
    : { condition: `${name} = :${name}`, values: { [name]: value } };

/** What was in the bucket when Firehose reported the first error stays known, whatever it gets afterwards. */
function troubleOf(seen: Target, { actor, code, reason }: Fault, errorAt: number): BucketTrouble {
  const before = seen.bucketTrouble;
  const latest = { actor, code, reason, lastErrorAt: Math.max(errorAt, before?.lastErrorAt ?? 0) };
  if (before) return { ...before, ...latest };
  const writtenCount = countBefore(seen, errorAt - writingTime(seen));
  const since = acceptedSince(seen, writtenCount, errorAt);
  return { ...latest, since: errorAt, writtenCount, acceptedSince: since };
}

/** A record has only the latest: older events are not kept longer than a few of them. */
const most = 10;

function lossOf({ givenUp = [], lostCount = 0 }: Target, loss: Loss | undefined): Partial<Target> {
  if (!loss) return {};
  return { givenUp: [...givenUp, loss.given].slice(-most), lostCount: lostCount + loss.count };
}
