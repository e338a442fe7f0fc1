import { randomBytes } from 'node:crypto';
import { PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { retention } from '../../kernel/retention.ts';
import { minutes, seconds } from '../../kernel/time.ts';
import { attempt, attemptOf, isFailure, type Attempt } from './attempt.ts';
import type { PackedRecord } from './packing.ts';
import type { Delivery } from './send-with-retries.ts';

const partitionOf = (ref: TargetRef): string => `deliveries#${describeTarget(ref)}`;

/** Attempts, newest first, and where the next page begins. */
export type AttemptPage = { attempts: Attempt[]; cursor?: string };

/** The form of a cursor: the sort key of the last entry of a page. */
export const attemptCursor = v.pipe(v.string(), v.regex(/^\d{13}(?:\.[0-9a-f]{8})?$/));

const mostTargets = 10_000;

/** Milliseconds. Notes are for people: they may be lost, and no delivery waits longer for one. */
const longestNoteMs = 500;

/** The last attempts of each target, in the table of attempts. */
export class AttemptLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** The minute of each target's last success that this instance wrote. */
  readonly #written = new Map<string, number>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Notes how a delivery went. If that fails, the delivery is as it was. */
  async note(
    ref: TargetRef,
    records: readonly PackedRecord[],
    delivery: Delivery,
    times: { at: number; durationMs: number },
  ): Promise<void> {
    const minute = Math.floor(times.at / minutes);
    const name = describeTarget(ref);
    if (records.length === 0 || (!isFailure(delivery) && this.#written.get(name) === minute)) return;
    try {
      await this.#put(ref, attemptOf(records, delivery, times), isFailure(delivery) ? undefined : minute);
      if (!isFailure(delivery)) this.#remember(name, minute);
    } catch (error) {
      const { tenantId, category } = ref;
      logger.warn('attempt not noted', { tenantId, category, fault: describeFault(error) });
    }
  }

  /** @param after of an earlier page */
  async page(ref: TargetRef, { limit, after }: { limit: number; after?: string }): Promise<AttemptPage> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: `pk = :pk${after === undefined ? '' : ' AND sk < :after'}`,
        ExpressionAttributeValues: {
          ':pk': partitionOf(ref),
          ...(after !== undefined && { ':after': after }),
        },
        ScanIndexForward: false,
        Limit: limit,
      }),
    );
    return {
      attempts: Items.map((item) => v.parse(attempt, item)),
      ...(LastEvaluatedKey && { cursor: String(LastEvaluatedKey['sk']) }),
    };
  }

  /** The successes of one minute, of several instances, are one entry. */
  async #put(ref: TargetRef, noted: Attempt, minute: number | undefined): Promise<void> {
    const sk =
      minute === undefined ? `${noted.at}.${randomBytes(4).toString('hex')}` : String(minute * minutes);
    const ttl = Math.ceil((noted.at + retention.attempt) / seconds);
    const Item = { pk: partitionOf(ref), sk, ...noted, ttl };
    const command = new PutCommand({ TableName: this.#table, Item });
    await this.#client.send(command, { abortSignal: AbortSignal.timeout(longestNoteMs) });
  }

  #remember(name: string, minute: number): void {
    if (this.#written.size >= mostTargets) this.#written.clear();
    this.#written.set(name, minute);
  }
}
