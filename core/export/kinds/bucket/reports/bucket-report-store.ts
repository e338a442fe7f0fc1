import { passingMs } from '../../../targets/test-schedule.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Assignments } from '../../../../aws/conditional-writer.ts';
import { writeReport } from '../../../targets/given-up-store.ts';
import {
  acceptedSince,
  countBefore,
  withLoss,
  writingTime,
  type Loss,
} from '../../../targets/firehose-progress.ts';
import { TargetStore } from '../../../targets/target-store.ts';
import type { BucketTrouble, Fault, Target } from '../../../targets/target.ts';

type BucketError = { bucket: string; at: number; since?: number };

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

  /**
   * Firehose could not write into the bucket at this time, and not since an earlier one if that is known. A target that
   * gets events is degraded, at least.
   */
  async failing(seen: Target, fault: Fault, error: BucketError): Promise<boolean> {
    const bucketTrouble = troubleOf(seen, fault, error);
    const isWritten = await this.#write(seen, { set: { bucketTrouble } });
    if (isWritten) await this.#targets.transition(seen, 'degrade', Date.now(), { fault });
    return isWritten;
  }

  /** Notes that more of what Firehose got is in the bucket, or was given up. */
  async progressed(seen: Target, written: Partial<BucketTrouble>, loss?: Loss): Promise<boolean> {
    if (!seen.bucketTrouble) return false;
    const bucketTrouble = { ...seen.bucketTrouble, ...written };
    return await this.#write(seen, { set: { bucketTrouble, ...withLoss(seen, loss) } });
  }

  /** Firehose has nothing left of what it could not write. */
  async settled(seen: Target, now: number, loss?: Loss): Promise<boolean> {
    const isWritten = await this.#write(seen, { set: withLoss(seen, loss), remove: ['bucketTrouble'] });
    const written = isWritten ? await this.#targets.find(seen) : undefined;
    if (written) await this.#targets.drainOrRecover(written, now);
    return isWritten;
  }

  async #write(seen: Target, assignments: Assignments): Promise<boolean> {
    return await writeReport(this.#client, this.#table, seen, assignments);
  }
}

/**
 * What was in the bucket when Firehose reported the first error stays known, whatever it gets afterwards. An error that
 * goes on for 15 minutes does not pass by itself.
 */
function troubleOf(
  seen: Target,
  { actor, code, reason, lastingActor }: Fault,
  { bucket, at: errorAt, since = errorAt }: BucketError,
): BucketTrouble {
  const before = seen.bucketTrouble;
  const lastErrorAt = Math.max(errorAt, before?.lastErrorAt ?? 0);
  const isLasting = lastErrorAt - (before?.since ?? since) >= passingMs;
  const latest = {
    actor: isLasting && lastingActor ? lastingActor : actor,
    code,
    reason,
    bucket,
    lastErrorAt,
  };
  if (before) return { ...before, ...latest };
  const writtenCount = countBefore(seen, since - writingTime(seen));
  return { ...latest, since, writtenCount, acceptedSince: acceptedSince(seen, writtenCount, since) };
}
