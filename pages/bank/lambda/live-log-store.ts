import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { LiveLog, Message, Topic } from '../server/live/log.ts';
import type { TableOptions } from './value-store.ts';

const lifetimeSeconds = 3600;
const mostMessages = 200;

/** The topic of a session contains the secret of its cookie. */
const partitionOf = (topic: Topic): string =>
  `live#${createHash('sha256').update(topic).digest('base64url')}`;

/** As text in the order of the numbers. */
const sortKeyOf = (id: number): string => String(id).padStart(16, '0');

type TableLogOptions = TableOptions & { onError: (error: unknown) => void };

/**
 * What happens behind the page, in a DynamoDB table: the Lambda that answers the page is another one than the Lambda that
 * called the service. A Lambda has one request at a time, so the log need not tell them apart.
 *
 * It keeps the calls of sessions only. Nothing feeds it the events of users.
 */
export class TableLog implements LiveLog {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  #lastId = 0;
  #writing: Promise<unknown>[] = [];
  #asked = 0;
  readonly #found = new Map<Topic, Message[]>();
  #idle = Promise.withResolvers<undefined>();

  constructor(client: DynamoDBDocumentClient, { table, onError, now = Date.now }: TableLogOptions) {
    this.#client = client;
    this.#onError = onError;
    this.#table = table;
    this.#now = now;
  }

  append(topic: Topic, message: Omit<Message, 'id'>): void {
    // Two Lambdas may append in the same millisecond.
    const id = this.#now() * 1000 + Math.floor(Math.random() * 1000);
    this.#lastId = Math.max(this.#lastId + 1, id);
    const put = new PutCommand({
      TableName: this.#table,
      Item: {
        ...{ pk: partitionOf(topic), sk: sortKeyOf(this.#lastId) },
        ...{ id: this.#lastId, ...message },
        ttl: Math.floor(this.#now() / 1000) + lifetimeSeconds,
      },
    });
    // The page is worth more than what it shows of the calls.
    this.#writing.push(this.#client.send(put).catch(this.#onError));
  }

  /** A Lambda stops when its request is answered, so it must wait for this first. */
  async flush(): Promise<void> {
    const writing = this.#writing;
    this.#writing = [];
    await Promise.all(writing);
  }

  /** Those that {@link next} has found. */
  after(topics: readonly Topic[], id: number): Message[] {
    this.#asked = id;
    return topics.flatMap((topic) => this.#found.get(topic) ?? []).filter((message) => message.id > id);
  }

  /** Reads what came after the id that {@link after} was asked for. */
  async next(topics: readonly Topic[], signal: AbortSignal): Promise<void> {
    this.#found.clear();
    for (const topic of topics.filter((one) => one.startsWith('session:')))
      this.#found.set(topic, await this.#query(topic));
    if (signal.aborted || [...this.#found.values()].some(({ length }) => length > 0)) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    this.#idle.resolve(undefined);
    await promise;
  }

  /** Resolves when {@link next} has found nothing. */
  async idle(): Promise<undefined> {
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }

  /** Its items expire. Nobody else can ask for them, because the topic names a session that is over. */
  end(topic: Topic): void {
    this.#found.delete(topic);
  }

  /** The latest ones, in order. */
  async #query(topic: Topic): Promise<Message[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :topic AND sk > :id',
        FilterExpression: '#ttl > :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':topic': partitionOf(topic),
          ':id': sortKeyOf(this.#asked),
          ':now': Math.floor(this.#now() / 1000),
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: mostMessages,
      }),
    );
    return (Items as Message[]).map(({ id, name, at, data }) => ({ id, name, at, data })).reverse();
  }
}
