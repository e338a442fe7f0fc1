import { GetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { assignIf, type Condition } from '../../aws/conditional-writer.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { hours, seconds } from '../../kernel/time.ts';
import { targetPartition } from './target-item.ts';

/** What a tenant may ask for in any hour, for each of its exports and streams. */
export const requestLimits = { tests: 10, replays: 10, sends: 60, verifications: 60 } as const;

export type LimitedRequest = keyof typeof requestLimits;

/** Milliseconds since 1970 of each request in the last hour, oldest first. */
const times = v.array(v.number());

const keyOf = ({ tenantId, category }: TargetRef) => ({
  pk: targetPartition(tenantId),
  sk: `requests#${category}`,
});

/** The requests of tenants that are limited, in the tenants table. */
export class RequestLimitStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Counts a request.
   *
   * @throws {Refusal} `too-many-requests`
   */
  async count(ref: TargetRef, kind: LimitedRequest, now: number): Promise<void> {
    await retryOnConflict(async () => {
      const before = await this.#read(ref, kind);
      const recent = (before ?? []).filter((at) => at > now - hours);
      requireRoom(recent, kind, now);
      const unchanged: Condition = before
        ? { condition: '#kind = :before', names: { '#kind': kind }, values: { before } }
        : { condition: 'attribute_not_exists(#kind)', names: { '#kind': kind } };
      const item = { table: this.#table, key: keyOf(ref) };
      const written = await assignIf(this.#client, item, { set: { [kind]: [...recent, now] } }, [unchanged]);
      if (!written.applied) throw new ConflictError('another request was counted');
    });
  }

  async #read(ref: TargetRef, kind: LimitedRequest): Promise<number[] | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(ref), ConsistentRead: true }),
    );
    return Item?.[kind] === undefined ? undefined : v.parse(times, Item[kind]);
  }
}

function requireRoom(recent: readonly number[], kind: LimitedRequest, now: number): void {
  const limit = requestLimits[kind];
  const oldest = recent.at(-limit);
  if (oldest === undefined) return;
  throw new Refusal('too-many-requests', `An export accepts ${limit} ${kind} in any hour.`, {
    retryAfter: Math.ceil((oldest + hours - now) / seconds),
  });
}
