import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { assignIf, type Assignments, type Condition } from '../../aws/conditional-writer.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { acceptedSince, countBefore, withLoss, writingTime, type Loss } from './handover.ts';
import { targetKey } from './target-item.ts';
import { TargetStore } from './target-store.ts';
import type { BucketTrouble, Fault, Target } from './target.ts';

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
  async failing(seen: Target, fault: Fault, error: { bucket: string; at: number }): Promise<boolean> {
    const bucketTrouble = troubleOf(seen, fault, error);
    const isWritten = await this.#write(seen, { set: { bucketTrouble } });
    if (isWritten) await this.#targets.transition(seen, 'degrade', Date.now(), { fault });
    return isWritten;
  }

  /** Of what Firehose got, more is in the bucket, or was given up. */
  async progressed(seen: Target, written: Partial<BucketTrouble>, loss?: Loss): Promise<boolean> {
    if (!seen.bucketTrouble) return false;
    const bucketTrouble = { ...seen.bucketTrouble, ...written };
    return await this.#write(seen, { set: { bucketTrouble, ...withLoss(seen, loss) } });
  }

  /** Firehose has nothing left of what it could not write. */
  async settled(seen: Target, now: number, loss?: Loss): Promise<boolean> {
    const set = withLoss(seen, loss);
    const written = await this.#update(seen, { set, remove: ['bucketTrouble'] });
    if (written) await this.#targets.settle(written, now);
    return written !== undefined;
  }

  /** Firehose wrote events under `errors/`, the last object at this time. */
  async failed(seen: Target, loss: Loss, errorsThrough: number): Promise<boolean> {
    return await this.#write(seen, { set: { ...withLoss(seen, loss), errorsThrough } });
  }

  /** Events accepted in this range were replayed: they are not lost any more. */
  async replayed(ref: TargetRef, { from, to }: { from: number; to: number }): Promise<void> {
    const seen = await this.#targets.find(ref);
    const left = seen?.givenUp?.filter((one) => one.from < from || one.to > to);
    if (!seen?.givenUp || !left || left.length === seen.givenUp.length) return;
    const lostCount = left.reduce((total, { events = 0 }) => total + events, 0);
    const isWritten = await this.#write(
      seen,
      left.length > 0 ? { set: { givenUp: left, lostCount } } : { remove: ['givenUp', 'lostCount'] },
    );
    if (!isWritten) await this.replayed(ref, { from, to });
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
function troubleOf(
  seen: Target,
  { actor, code, reason }: Fault,
  { bucket, at: errorAt }: { bucket: string; at: number },
): BucketTrouble {
  const before = seen.bucketTrouble;
  const latest = { actor, code, reason, bucket, lastErrorAt: Math.max(errorAt, before?.lastErrorAt ?? 0) };
  if (before) return { ...before, ...latest };
  const writtenCount = countBefore(seen, errorAt - writingTime(seen));
  const since = acceptedSince(seen, writtenCount, errorAt);
  return { ...latest, since: errorAt, writtenCount, acceptedSince: since };
}
