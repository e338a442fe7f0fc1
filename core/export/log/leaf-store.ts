import {
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { updateIf } from '../../aws/conditional-writer.ts';
import type { Item } from '../../aws/dynamodb-client.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { retention } from '../../kernel/retention.ts';
import { seconds } from '../../kernel/time.ts';
import { LeafPage, type NewPage } from './leaf-page.ts';
import { type LogName, logKeys } from './log-keys.ts';
import type { ClosedMinute } from './log-store.ts';
import { hashesIn } from './merkle-tree.ts';
import { endOf } from './minute.ts';

/** What the pages of a minute's leaves are. */
export type Directory = {
  /** The first id of each page, in lower case. */
  firsts: readonly string[];
  roots: readonly Buffer[];
};

const binary = v.instance(Uint8Array);
const directoryItem = v.object({ firsts: v.array(v.string()), roots: binary });
const pageItem = v.object({ leaves: binary });
const lateItem = v.object({ sk: v.string() });

const pagesAtOnce = 16;
/** In place of the first id of a page without ids. */
const behindIds = '~';

/** The lists of leaves of minutes, which are kept as long as their events. */
export class LeafStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Keeps the leaves of a minute, which are not the log's before the minute is closed. */
  async keep(log: LogName, minute: string, pages: readonly NewPage[]): Promise<string> {
    const attempt = randomBytes(8).toString('hex');
    const ttl = leavesUntil(minute);
    await mapConcurrent([...pages.entries()], pagesAtOnce, async ([index, { bytes }]) => {
      await this.#put({ ...logKeys.page(log, minute, attempt, index), ttl, leaves: bytes });
    });
    const firsts = pages.map(({ first }) => first);
    const roots = Buffer.concat(pages.map(({ root }) => root));
    await this.#put({ ...logKeys.directory(log, minute, attempt), ttl, firsts, roots });
    return attempt;
  }

  /** Notes that events of earlier minutes are in the batch. */
  async keepLate(log: LogName, earlier: readonly string[], minute: string): Promise<void> {
    const ttl = leavesUntil(minute);
    await mapConcurrent(earlier, pagesAtOnce, async (one) => {
      await this.#put({ pk: logKeys.late(log, one), sk: minute, ttl });
    });
  }

  /** The batches that may have events of a minute, whose own batch was closed before. */
  async lateBatches(log: LogName, minute: string): Promise<string[]> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :late',
        ExpressionAttributeValues: { ':late': logKeys.late(log, minute) },
      }),
    );
    return Items.map((item) => v.parse(lateItem, item).sk);
  }

  /** What the pages of a minute's leaves are, unless they are no longer kept. */
  async directory({ log, minute, attempt }: ClosedMinute): Promise<Directory | undefined> {
    const item = await this.#get(logKeys.directory(log, minute, attempt));
    if (!item) return undefined;
    const { firsts, roots } = v.parse(directoryItem, item);
    return { firsts, roots: hashesIn(roots) };
  }

  async page({ log, minute, attempt }: ClosedMinute, page: number): Promise<LeafPage | undefined> {
    // Closing reads it to know what is in the log already.
    const item = await this.#get(logKeys.page(log, minute, attempt, page), true);
    return item && new LeafPage(v.parse(pageItem, item).leaves);
  }

  /**
   * Replaces a page by one that has only the hashes of some leaves.
   *
   * @throws {ConflictError} if the page was changed meanwhile
   */
  async replace(
    { log, minute, attempt }: ClosedMinute,
    page: number,
    { before, after }: { before: LeafPage; after: LeafPage },
  ): Promise<void> {
    const replaced = await updateIf(this.#client, {
      table: this.#table,
      key: logKeys.page(log, minute, attempt, page),
      update: 'SET #leaves = :after',
      condition: '#leaves = :before',
      names: { '#leaves': 'leaves' },
      values: { before: before.bytes, after: after.bytes },
    });
    if (!replaced.applied) throw new ConflictError('the page was changed meanwhile');
    await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: logKeys.directory(log, minute, attempt),
        UpdateExpression: `SET firsts[${page}] = :first`,
        ExpressionAttributeValues: { ':first': after.first() ?? behindIds },
      }),
    );
  }

  async #get(Key: { pk: string; sk: string }, isConsistent = false): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: isConsistent }),
    );
    return item;
  }

  async #put(item: Item): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }
}

const leavesUntil = (minute: string): number => Math.ceil((endOf(minute) + retention.event) / seconds);
