import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { placeOf, positionOf, replay as schema, replayStates, type Cursor, type Replay } from './replay.ts';
import { updateIf } from '../../aws/conditional-writer.ts';
import { ConditionsFailed, transact, type Write } from '../../aws/dynamodb-client.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** What was asked for. */
const asked = v.omit(schema, ['cursor']);

const progress = v.object({
  ...asked.entries,
  state: v.picklist(replayStates),
  /** Why it failed. */
  reason: v.optional(v.string()),
  /** Events that were parked for delivery. Events of a repeated step count once. */
  eventsSent: v.number(),
  /** Portions that were parked for delivery. */
  steps: v.optional(v.number(), 0),
  /** Processed up to this hour. */
  cursorHour: v.string(),
  /** Everything before it is parked, and the message to continue is sent. Sortable text. */
  position: v.string(),
  /** Milliseconds since 1970. */
  updatedAt: v.number(),
});

export type ReplayProgress = v.InferOutput<typeof progress>;

type Ref = Pick<Replay, 'tenantId' | 'replayId'>;

const keyOf = (ref: Ref) => ({ pk: `tenant#${ref.tenantId}`, sk: `replay#${ref.replayId}` });

/** The progress of replays, in the tenants table. A replay ends if an operator deletes its item. */
export class ReplayStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One consistent read. */
  async find(ref: Ref): Promise<ReplayProgress | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(ref), ConsistentRead: true }),
    );
    return Item && v.parse(progress, Item);
  }

  /**
   * @param together writes of the same transaction
   * @throws {Refusal} `replay-running` while another one of given-up events runs for this target
   */
  async begin(replay: Replay, now: number, together: readonly Write[] = []): Promise<ReplayProgress> {
    const place = placeOf(replay);
    const begun = {
      ...v.parse(asked, replay),
      state: 'running' as const,
      eventsSent: place.sent,
      cursorHour: place.hour,
      position: positionOf(place),
      updatedAt: now,
    };
    const Item = { ...keyOf(replay), ...begun };
    const put = { TableName: this.#table, Item, ConditionExpression: 'attribute_not_exists(pk)' };
    if (replay.givenUp) await this.#beginAlone(replay, [{ Put: put }, ...together]);
    else if (together.length > 0) await transact(this.#client, [{ Put: put }, ...together]);
    else await this.#client.send(new PutCommand(put));
    return { ...begun, steps: 0 };
  }

  /** @param ended the replay before, which the target's lock still names */
  async #beginAlone(replay: Replay, writes: readonly Write[], ended?: unknown): Promise<void> {
    const { tenantId, category, replayId } = replay;
    const Item = { pk: `tenant#${tenantId}`, sk: `given-up-replay#${category}`, replayId };
    const condition =
      ended === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'replayId = :ended', ExpressionAttributeValues: { ':ended': ended } };
    const lock = {
      Put: { TableName: this.#table, Item, ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' },
    } as const;
    try {
      await transact(this.#client, [...writes, lock]);
    } catch (error) {
      const held = error instanceof ConditionsFailed ? error.refused.get(writes.length) : undefined;
      if (!held) throw error;
      const before = String(held['replayId']);
      const other = await this.find({ tenantId, replayId: before });
      if (other?.state === 'running')
        throw new Refusal(
          'replay-running',
          `The replay ${before} of given-up events is running. Wait for its end.`,
        );
      await this.#beginAlone(replay, writes, before);
    }
  }

  /** Only forwards: a step that is repeated or late changes nothing. */
  async advance(ref: Ref, place: Cursor, now: number): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: keyOf(ref),
      update:
        'SET #position = :position, cursorHour = :hour, eventsSent = :sent, updatedAt = :now ADD steps :one',
      condition: '#state = :running AND #position < :position',
      names: { '#state': 'state', '#position': 'position' },
      values: {
        running: 'running',
        position: positionOf(place),
        hour: place.hour,
        sent: place.sent,
        now,
        one: 1,
      },
    });
  }

  async finish(ref: Ref, eventsSent: number, now: number): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: keyOf(ref),
      update: 'SET #state = :done, eventsSent = :sent, updatedAt = :now ADD steps :one',
      condition: '#state = :running',
      names: { '#state': 'state' },
      values: { running: 'running', done: 'done', sent: eventsSent, now, one: 1 },
    });
  }

  async fail(ref: Ref, reason: string, now: number): Promise<void> {
    await updateIf(this.#client, {
      table: this.#table,
      key: keyOf(ref),
      update: 'SET #state = :failed, reason = :reason, updatedAt = :now',
      condition: '#state = :running',
      names: { '#state': 'state' },
      values: { running: 'running', failed: 'failed', reason, now },
    });
  }
}
