import { PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Item } from '../../aws/dynamodb-client.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { retention } from '../../kernel/retention.ts';
import { minutes, seconds } from '../../kernel/time.ts';
import { attempt, attemptsOf, type Attempt } from './attempt.ts';
import type { PackedRecord } from './packing.ts';
import type { Delivery } from './send-with-retries.ts';

const partitionOf = (ref: TargetRef): string => `deliveries#${describeTarget(ref)}`;

/** Attempts, newest first, and where the next page begins. */
export type AttemptPage = { attempts: Attempt[]; cursor?: string };

/** The form of a cursor: the sort key of the last entry of a page. */
export const attemptCursor = v.pipe(v.string(), v.regex(/^\d{13}(?:\.\d{1,4}\/\d{1,4})?$/));

const mostKept = 10_000;

/** Milliseconds. Notes are for people: they may be lost, and no delivery waits longer for one. */
const longestNoteMs = 500;

/** The last attempts of each target, in the table of attempts. */
export class AttemptLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** The last entries that this instance wrote: of each target's successes, and of the failures of each of its lanes. */
  readonly #written = new Map<string, string>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Notes how a delivery went: a success a minute for the target, and a failure a second for each lane. If that fails, the delivery
   * is as it was.
   */
  async note(
    ref: TargetRef,
    records: readonly PackedRecord[],
    delivery: Delivery,
    times: Pick<Attempt, 'at' | 'ms'>,
  ): Promise<void> {
    try {
      const attempts = attemptsOf(records, delivery, times);
      await Promise.all(attempts.map(async (one) => await this.#put(ref, one)));
    } catch (error) {
      const { tenantId, category } = ref;
      logger.warn('attempt not noted', { tenantId, category, fault: describeFault(error) });
    }
  }

  /**
   * @param after of an earlier page
   * @param isFailed without the attempts by which everything was delivered
   */
  async page(
    ref: TargetRef,
    { limit, after, isFailed = false }: { limit: number; after?: string; isFailed?: boolean },
  ): Promise<AttemptPage> {
    const found: Item[] = [];
    let next = after;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#query(ref, next, isFailed ? undefined : limit);
      found.push(...Items);
      next = LastEvaluatedKey && String(LastEvaluatedKey['sk']);
    } while (isFailed && next !== undefined && found.length < limit);
    const shown = found.slice(0, limit);
    const isMore = next !== undefined || found.length > limit;
    return {
      attempts: shown.map((item) => v.parse(attempt, item)),
      ...(isMore && { cursor: String(shown.at(-1)?.['sk']) }),
    };
  }

  /** @param most nothing to read those that failed, as many as an answer has room for */
  async #query(ref: TargetRef, after: string | undefined, most: number | undefined) {
    return await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: `pk = :pk${after === undefined ? '' : ' AND sk < :after'}`,
        ExpressionAttributeValues: {
          ':pk': partitionOf(ref),
          ...(after !== undefined && { ':after': after }),
          ...(most === undefined && { ':delivered': 'delivered' }),
        },
        ...(most === undefined ? { FilterExpression: 'outcome <> :delivered' } : { Limit: most }),
        ScanIndexForward: false,
      }),
    );
  }

  /** The successes of one minute, of several instances, are one entry, and so are the failures of one lane and second. */
  async #put(ref: TargetRef, noted: Attempt): Promise<void> {
    const isSuccess = noted.outcome === 'delivered';
    const unit = isSuccess ? minutes : seconds;
    const begin = Math.floor(noted.at / unit) * unit;
    const sk = isSuccess ? String(begin) : `${begin}.${noted.lane}`;
    const name = `${describeTarget(ref)} ${isSuccess ? '' : noted.lane}`;
    if (this.#written.get(name) === sk) return;
    const ttl = Math.ceil((noted.at + retention.attempt) / seconds);
    const Item = { pk: partitionOf(ref), sk, ...noted, ttl };
    const command = new PutCommand({ TableName: this.#table, Item });
    await this.#client.send(command, { abortSignal: AbortSignal.timeout(longestNoteMs) });
    if (this.#written.size >= mostKept) this.#written.clear();
    this.#written.set(name, sk);
  }
}
