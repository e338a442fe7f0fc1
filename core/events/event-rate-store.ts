import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';
import { updateIf } from '../aws/conditional-writer.ts';
import { describeFault, logger } from '../kernel/observability.ts';
import { Refusal } from '../kernel/refusal.ts';
import { hours, seconds } from '../kernel/time.ts';

/**
 * How many events a tenant records in a second, in the ledger table: a throttled write there stops no confirmation. One write
 * for each call, whatever the number of its events.
 */
export class EventRateStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Counts the events of a call, unless they are too many.
   *
   * If the counter is throttled, the call fails, and its caller repeats it: more than 1,000 calls of the tenant in a second are
   * what throttles it. If the counter fails otherwise, the events are accepted, because to lose them is worse.
   *
   * @throws {Refusal} `too-many-requests`
   */
  async count(
    tenantId: string,
    { events, limit }: { events: number; limit: number },
    now: number,
  ): Promise<void> {
    if (await this.#isCounted(tenantId, events, limit, now)) return;
    throw new Refusal('too-many-requests', `A tenant may record ${limit} events in a second.`, {
      retryAfter: 1,
    });
  }

  async #isCounted(tenantId: string, events: number, limit: number, now: number): Promise<boolean> {
    try {
      return await this.#add(tenantId, events, limit, now);
    } catch (error) {
      if (isThrottlingError(error as Parameters<typeof isThrottlingError>[0])) throw error;
      logger.warn('events not counted', { tenantId, fault: describeFault(error) });
      return true;
    }
  }

  /** @returns false if the second has no room for so many */
  async #add(tenantId: string, events: number, limit: number, now: number): Promise<boolean> {
    const second = Math.floor(now / seconds);
    const { applied } = await updateIf(this.#client, {
      table: this.#table,
      key: { pk: `rate#${tenantId}#${second}`, sk: 'events' },
      update: 'SET #ttl = :ttl ADD #count :events',
      condition: 'attribute_not_exists(#count) OR #count <= :room',
      names: { '#count': 'count', '#ttl': 'ttl' },
      values: { events, room: limit - events, ttl: second + hours / seconds },
    });
    return applied;
  }
}
