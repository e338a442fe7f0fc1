import { GetCommand, type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { assignIf, type Assignments } from '../aws/conditional-writer.ts';
import { ConditionsFailed, transact, type Write } from '../aws/dynamodb-client.ts';
import { sourcesOf } from '../events/signal-events.ts';
import { streamName } from '../events/target-ref.ts';
import { verificationType } from '../export/kinds/signals/signal-claims.ts';
import { streamPrefix, targetKey, targetPartition } from '../export/targets/target-item.ts';
import type { TargetStore } from '../export/targets/target-store.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { deliveredTypes, streamRecord, type Stream, type StreamSettings } from './stream.ts';

/** The most streams of a client. */
export const mostStreams = 10;

/** Whose streams. */
export type Owner = { tenantId: string; clientId: string };

const refOf = (tenantId: string, streamId: string) => ({ tenantId, category: streamName(streamId) });

/** How many streams a client has. */
const counterKey = ({ tenantId, clientId }: Owner) => ({
  pk: targetPartition(tenantId),
  sk: `streams#${clientId}`,
});

/** The events of which the signals are made. A verification is sent whatever the receiver requested. */
const typesFor = (settings: StreamSettings): string[] => [
  verificationType,
  ...sourcesOf(deliveredTypes(settings)),
];

/** Streams of signals: targets in the tenants table, with what their receivers chose. */
export class StreamStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #targets: Pick<TargetStore, 'transition'>;

  constructor(client: DynamoDBDocumentClient, table: string, targets: Pick<TargetStore, 'transition'>) {
    this.#client = client;
    this.#table = table;
    this.#targets = targets;
  }

  /** A stream of another client is unknown. */
  async find({ tenantId, clientId }: Owner, streamId: string): Promise<Stream | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: targetKey(refOf(tenantId, streamId)),
        ConsistentRead: true,
      }),
    );
    const found = Item && v.parse(streamRecord, Item);
    return found?.stream.clientId === clientId ? found : undefined;
  }

  /** In the order of their ids. */
  async list({ tenantId, clientId }: Owner): Promise<Stream[]> {
    const input = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :tenant AND begins_with(sk, :stream)',
      ExpressionAttributeValues: { ':tenant': targetPartition(tenantId), ':stream': streamPrefix },
      ConsistentRead: true,
    };
    const found: Stream[] = [];
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, input))
      found.push(...Items.map((item) => v.parse(streamRecord, item)));
    return found.filter(({ stream }) => stream.clientId === clientId);
  }

  /** @returns false if the client has as many streams as it may have */
  async create({ tenantId, clientId }: Owner, settings: StreamSettings, now: number): Promise<boolean> {
    const { place } = settings;
    const ref = refOf(tenantId, place.streamId);
    return await this.#targets.transition({ ...ref, destination: place }, 'open', now, {
      set: {
        ...ref,
        destination: place,
        stream: settings,
        types: typesFor(settings),
        // Its receiver may pause and resume it.
        verifiedAt: now,
        ...{ parkedThrough: {}, drainedThrough: {}, waitingSince: {} },
      },
      together: [this.#count({ tenantId, clientId }, 1, 'attribute_not_exists(streams) OR streams < :limit')],
    });
  }

  /**
   * What its receiver changed. A fault of an earlier receiver says nothing about another.
   *
   * @returns nothing if the stream is gone
   * @throws {ConflictError} if it was changed since it was read
   */
  async change(stream: Stream, settings: StreamSettings): Promise<Stream | undefined> {
    const isEnabled = stream.destination.kind !== 'none';
    return await this.#assign(stream, {
      set: {
        stream: settings,
        types: typesFor(settings),
        ...(isEnabled && { destination: settings.place }),
      },
      ...(settings.place.url !== stream.stream.place.url && { remove: ['fault'] }),
    });
  }

  /** As {@link change}. */
  async noteReason(stream: Stream, statusReason: string | undefined): Promise<Stream | undefined> {
    return await this.#assign(
      stream,
      statusReason === undefined ? { remove: ['statusReason'] } : { set: { statusReason } },
    );
  }

  /** As {@link change}. Without a destination, what comes and what waits is discarded. */
  async close(stream: Stream): Promise<Stream | undefined> {
    return await this.#assign(stream, { set: { destination: { kind: 'none' } } });
  }

  /** As {@link change}. What was parked before it was closed may wait still: it is discarded nevertheless. */
  async reopen(stream: Stream, now: number): Promise<Stream | undefined> {
    return await this.#assign(stream, { set: { destination: stream.stream.place, discardedBefore: now } });
  }

  /** @returns false if it is gone already */
  async remove({ tenantId, stream: { clientId, place } }: Stream): Promise<boolean> {
    const Key = targetKey(refOf(tenantId, place.streamId));
    const writes: Write[] = [
      { Delete: { TableName: this.#table, Key, ConditionExpression: 'attribute_exists(pk)' } },
      this.#count({ tenantId, clientId }, -1, 'streams <= :limit'),
    ];
    try {
      await transact(this.#client, writes);
      return true;
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
  }

  #count(owner: Owner, by: 1 | -1, condition: string): Write {
    return {
      Update: {
        TableName: this.#table,
        Key: counterKey(owner),
        UpdateExpression: 'ADD streams :by',
        ConditionExpression: condition,
        ExpressionAttributeValues: { ':by': by, ':limit': mostStreams },
      },
    };
  }

  async #assign(seen: Stream, assignments: Assignments): Promise<Stream | undefined> {
    const { tenantId, destination, stream } = seen;
    const item = { table: this.#table, key: targetKey(refOf(tenantId, stream.place.streamId)) };
    const { applied, item: found } = await assignIf(this.#client, item, assignments, [
      {
        condition: 'destination = :destination AND #stream = :stream',
        names: { '#stream': 'stream' },
        values: { destination, stream },
      },
    ]);
    if (applied) return v.parse(streamRecord, found);
    if (found) throw new ConflictError('the stream was changed by another request');
    return undefined;
  }
}
