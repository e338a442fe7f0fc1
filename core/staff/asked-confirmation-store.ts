import { QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tables } from '../aws/tables.ts';
import type { Item } from '../aws/dynamodb-client.ts';
import type { User } from '../devices/device.ts';
import { indexShards, sequenceAt, shardKey } from '../events/event-keys.ts';
import type { PublicEvent } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';

/** A confirmation as its events tell it: without the message, which they never have. */
export type AskedConfirmation = {
  challengeId: string;
  status: 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
  reason?: string;
  askedAt: string;
  endedAt?: string;
  deviceIds: string[];
  purpose?: string;
  groupId?: string;
  userVerified?: boolean;
};

const sentType: OwnPublicType = 'PushNotificationSentEvent';

const statusOfType: Partial<Record<string, AskedConfirmation['status']>> = {
  PushNotificationConfirmedEvent: 'confirmed',
  PushNotificationDeniedEvent: 'denied',
  PushNotificationExpiredEvent: 'expired',
  PushNotificationCancelledEvent: 'cancelled',
  PushNotificationFailedEvent: 'failed',
};

/** Queries that run at the same time. */
const atOnce = 40;

/**
 * Finds confirmations of the last 14 days in the events table, which has no index by user. The user's record says when there
 * were any, and the index by acceptance finds the few events of that millisecond. So asking costs nothing more.
 */
export class AskedConfirmations {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * The user's confirmations that were asked at these times, newest first. A read in each shard for each time, and one more
   * for each confirmation.
   */
  async find({ tenantId, userId }: User, times: readonly number[]): Promise<AskedConfirmation[]> {
    const places = [...new Set(times)].flatMap((at) =>
      Array.from({ length: indexShards }, (_, shard) => ({ at, shard })),
    );
    const partitions = await mapConcurrent(
      places,
      atOnce,
      async ({ at, shard }) => await this.#sentAt(tenantId, at, shard),
    );
    const found = await mapConcurrent(
      [...new Set(partitions.flat())],
      atOnce,
      async (partition) => confirmationIn(await this.#events(partition), userId) ?? [],
    );
    return found.flat().sort((a, b) => (a.askedAt < b.askedAt ? 1 : -1));
  }

  /** The partitions of the confirmations that were sent in a millisecond. */
  async #sentAt(tenantId: string, at: number, shard: number): Promise<string[]> {
    const { name, partitionKey, sortKey } = tables.events.index;
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        IndexName: name,
        KeyConditionExpression: '#shard = :shard AND #sequence BETWEEN :first AND :end',
        FilterExpression: '#type = :sent',
        ExpressionAttributeNames: { '#shard': partitionKey, '#sequence': sortKey, '#type': 'type' },
        ExpressionAttributeValues: {
          ':shard': shardKey({ tenantId, category: 'public', by: 'service', shard }),
          ':first': sequenceAt(at),
          ':end': sequenceAt(at + 1),
          ':sent': sentType,
        },
      }),
    );
    return Items.map(({ pk }) => String(pk));
  }

  /** All events of a confirmation, in their order. */
  async #events(partition: string): Promise<PublicEvent[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: { ':partition': partition },
      }),
    );
    return Items.flatMap(readEvent);
  }
}

/** The service's own events are alone in their items. */
const readEvent = ({ event }: Item): PublicEvent[] =>
  typeof event === 'string' ? [JSON.parse(event) as PublicEvent] : [];

type SentPayload = {
  userId: string;
  challengeId: string;
  deviceId?: string;
  deviceIds?: string[];
  purpose?: string;
  groupId?: string;
};

type EndedPayload = { reason?: string; deviceId?: string; userVerified?: boolean };

function confirmationIn(events: readonly PublicEvent[], userId: string): AskedConfirmation | undefined {
  const sent = events.find(({ metadata }) => metadata.type === sentType);
  const asked = sent?.payload as SentPayload | undefined;
  if (!sent || asked?.userId !== userId) return undefined;
  const { challengeId, deviceId, deviceIds = [], purpose, groupId } = asked;
  return {
    challengeId,
    askedAt: sent.metadata.occurredTime,
    deviceIds: deviceId === undefined ? deviceIds : [deviceId],
    ...(purpose !== undefined && { purpose }),
    ...(groupId !== undefined && { groupId }),
    ...endIn(events),
  };
}

function endIn(
  events: readonly PublicEvent[],
): Pick<AskedConfirmation, 'status' | 'reason' | 'endedAt' | 'userVerified'> & { deviceIds?: string[] } {
  for (const { metadata, payload } of events) {
    const status = statusOfType[metadata.type];
    if (!status) continue;
    const { reason, deviceId, userVerified } = payload as EndedPayload;
    return {
      status,
      endedAt: metadata.occurredTime,
      ...(reason !== undefined && { reason }),
      ...(userVerified !== undefined && { userVerified }),
      ...(deviceId !== undefined && { deviceIds: [deviceId] }),
    };
  }
  return { status: 'pending' };
}
