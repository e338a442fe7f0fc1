import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { seconds } from '../kernel/time.ts';
import type { ReceiverKind } from './receiver.ts';

/** A callback to a client: one for each kind and confirmation. */
export type CallbackRef = { kind: ReceiverKind; clientId: string; challengeId: string };

/** `until`: when its confirmation is forgotten, so that it is not sent any more. In milliseconds since 1970. */
export type WaitingRef = CallbackRef & { until: number };

/** How far a callback is. Times in milliseconds since 1970. */
export type Progress = {
  /** How many attempts have failed. */
  attempts: number;
  /** Not before that time. */
  nextAt: number;
};

const partitionOf = ({ kind, clientId }: Omit<CallbackRef, 'challengeId'>): string =>
  `waiting#${kind}#${clientId}`;
const keyOf = (ref: CallbackRef) => ({ pk: partitionOf(ref), sk: ref.challengeId });
const inSeconds = (milliseconds: number): number => Math.ceil(milliseconds / seconds);

/** The callbacks that wait for a further attempt: how far each is, and how many a client has. */
export class WaitingStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One read. Undefined for a callback that has not been sent yet. */
  async find(ref: CallbackRef): Promise<Progress | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(ref), ConsistentRead: true }),
    );
    return Item && { attempts: Number(Item['attempts']), nextAt: Number(Item['nextAt']) };
  }

  /** An attempt failed. */
  async save(ref: WaitingRef, progress: Progress, now: number): Promise<void> {
    const item = { ...keyOf(ref), ...progress, since: now, ttl: inSeconds(ref.until) };
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }

  /** It waits without having been sent. What was saved stays. */
  async note(ref: WaitingRef, now: number): Promise<void> {
    try {
      await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: keyOf(ref),
          UpdateExpression: 'SET attempts = :none, nextAt = :now, #ttl = :ttl',
          ConditionExpression: 'attribute_not_exists(pk)',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':none': 0, ':now': now, ':ttl': inSeconds(ref.until) },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  /** It was delivered, or given up. */
  async remove(ref: CallbackRef): Promise<void> {
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key: keyOf(ref) }));
  }

  /** How many wait. Reads all of them. DynamoDB deletes items late: they count until their time to live. */
  async count(receiver: Omit<CallbackRef, 'challengeId'>, now = Date.now()): Promise<number> {
    const input = {
      TableName: this.#table,
      Select: 'COUNT' as const,
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: '#ttl > :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':pk': partitionOf(receiver), ':now': inSeconds(now) },
    };
    let count = 0;
    for await (const { Count = 0 } of paginateQuery({ client: this.#client }, input)) count += Count;
    return count;
  }
}
