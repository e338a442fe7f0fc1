import {
  BatchGetCommand,
  GetCommand,
  paginateQuery,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet } from '../../aws/batch-get.ts';
import { assignIf, updateIf, updateOf } from '../../aws/conditional-writer.ts';
import {
  withStoreErrors,
  ConditionsFailed,
  transact,
  type Item,
  type Write,
} from '../../aws/dynamodb-client.ts';
import { hourOf } from '../../events/event-keys.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { grownKey } from './grown-log-store.ts';
import type { GrowingTree } from './growing-tree.ts';
import type { Minute } from './leaf.ts';
import { headAttributes, readHead, type LogHead, type SignedCheckpoint } from './log-head.ts';
import { type LogName, logKeys } from './log-keys.ts';
import { hashesIn } from './merkle-tree.ts';
import type { NodeRef } from './proofs.ts';

/** A minute that was closed. */
export type ClosedMinute = Minute & {
  log: LogName;
  /** The position of its leaf in the tree. */
  leafIndex: number;
  /** Which of the lists of leaves is its own. */
  attempt: string;
};

const binary = v.instance(Uint8Array);
const minuteItem = v.object({
  sk: v.string(),
  count: v.number(),
  root: binary,
  leafIndex: v.number(),
  attempt: v.string(),
});
const nodesItem = v.object({ sk: v.string(), hashes: binary });

/** The most keys of a BatchGetItem. */
const batchOfKeys = 100;

const toMinute = (log: LogName, item: Item): ClosedMinute => {
  const { sk: minute, ...rest } = v.parse(minuteItem, item);
  return { log, minute, ...rest };
};

/** A hash of the tree is gone, which nothing but a hand removes. */
export class MissingNode extends Error {
  override readonly name = 'MissingNode';
}

/** What closes a minute. */
export type Closing = {
  head: LogHead;
  minute: Minute;
  /** The tree with the minute's leaf, and the hashes that it completes. */
  tree: GrowingTree;
  completed: readonly Uint8Array[];
  attempt: string;
  /** Milliseconds since 1970. */
  now: number;
};

/** The logs' trees and minutes. A minute is closed by one transaction, which succeeds once. */
export class LogStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async head(ref: TargetRef): Promise<LogHead> {
    return readHead(ref, await this.#get(logKeys.head(ref), true));
  }

  /** The head of a log that a restore has ended. It does not change any more. */
  async endedHead(log: LogName): Promise<LogHead | undefined> {
    const item = await this.#get(logKeys.endedHead(log));
    return item && readHead(log, item);
  }

  /** @returns false if another Lambda was quicker */
  async close(closing: Closing): Promise<boolean> {
    try {
      await transact(this.#client, this.#closingWrites(closing));
      return true;
    } catch (error) {
      if (error instanceof ConditionsFailed) return false;
      throw error;
    }
  }

  #closingWrites({ head, minute, tree, completed, attempt, now }: Closing): Write[] {
    const { log } = head;
    const { minute: name, count, root } = minute;
    const leafIndex = head.tree.size;
    const hour = hourOf(now);
    const put = (item: Item): Write => ({
      Put: { TableName: this.#table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' },
    });
    return [
      {
        Update: {
          TableName: this.#table,
          Key: logKeys.head(log),
          UpdateExpression:
            'SET #generation = :generation, #size = :next, #peaks = :peaks, #minute = :minute, #hour = :hour',
          // The same size is the same tree, because nothing else changes it.
          ConditionExpression:
            leafIndex === 0
              ? 'attribute_not_exists(#size) OR (#generation = :generation AND #size = :size)'
              : '#generation = :generation AND #size = :size',
          ExpressionAttributeNames: {
            '#generation': 'generation',
            '#size': 'size',
            '#peaks': 'peaks',
            '#minute': 'minute',
            '#hour': 'hour',
          },
          ExpressionAttributeValues: {
            ':generation': log.generation,
            ':size': leafIndex,
            ':next': tree.size,
            ':peaks': Buffer.concat(tree.peaks),
            ':minute': name,
            ':hour': hour,
          },
        },
      },
      put({ ...logKeys.minute(log, name), count, root, leafIndex, attempt }),
      put({ ...logKeys.nodes(log, leafIndex), hashes: Buffer.concat(completed) }),
      ...(head.hour === hour
        ? []
        : [{ Put: { TableName: this.#table, Item: grownKey(log, hour) } } satisfies Write]),
    ];
  }

  /**
   * Keeps a checkpoint, unless there is one of this size, or a later one. After a change of the base URL the log has another name,
   * and so has its checkpoint.
   *
   * @returns the one that is kept
   * @throws {ConflictError} if another log was begun meanwhile
   */
  async keepSigned({ log }: LogHead, signed: SignedCheckpoint): Promise<SignedCheckpoint> {
    const [origin = ''] = signed.text.split('\n');
    const update = {
      table: this.#table,
      key: logKeys.head(log),
      update:
        'SET #signed = :signed, #generation = if_not_exists(#generation, :generation), ' +
        '#size = if_not_exists(#size, :none), #peaks = if_not_exists(#peaks, :peaks)',
      condition:
        '(attribute_not_exists(#generation) OR #generation = :generation) AND ' +
        '(attribute_not_exists(#signed) OR #signed.#size < :size OR ' +
        '(#signed.#size = :size AND NOT begins_with(#signed.#text, :origin)))',
      names: {
        ...{ '#signed': 'signed', '#size': 'size', '#text': 'text' },
        ...{ '#generation': 'generation', '#peaks': 'peaks' },
      },
      values: {
        ...{ signed, size: signed.size, origin: `${origin}\n`, generation: log.generation },
        ...{ none: 0, peaks: Buffer.alloc(0) },
      },
    };
    // It may meet the transaction that closes a minute.
    const { item } = await withStoreErrors(async () => await updateIf(this.#client, update));
    const kept = readHead(log, item);
    if (kept.log.generation === log.generation) return kept.signed ?? signed;
    throw new ConflictError('a later log was begun');
  }

  /**
   * Notes that a restore has ended a log. The next one begins when it is needed, so that idle ones cost nothing.
   *
   * @param next the generation of the next log, which was never used before
   */
  async end({ log, tree }: LogHead, next: number): Promise<void> {
    await assignIf(
      this.#client,
      { table: this.#table, key: logKeys.head(log) },
      { set: { next }, setIfAbsent: headAttributes({ log, tree }) },
      [
        {
          condition: 'attribute_not_exists(#generation) OR #generation = :generation',
          names: { '#generation': 'generation' },
          values: { generation: log.generation },
        },
      ],
    );
  }

  /**
   * Begins the next log in place of one that has ended.
   *
   * @param head of a tree whose only leaf is the last checkpoint of the ended log
   * @throws {ConflictError} if another Lambda was quicker
   */
  async begin({ next, ...ended }: LogHead, head: LogHead): Promise<void> {
    const together = [
      this.#write(logKeys.endedHead(ended.log), headAttributes(ended)),
      this.#write(logKeys.nodes(head.log, 0), { hashes: Buffer.concat(head.tree.peaks) }),
    ];
    const { applied } = await assignIf(
      this.#client,
      { table: this.#table, key: logKeys.head(head.log), together },
      { set: headAttributes(head), remove: ['next', 'hour'] },
      [
        {
          condition: '#next = :next AND #generation = :ended AND #size = :last',
          names: { '#next': 'next', '#generation': 'generation', '#size': 'size' },
          values: { next, ended: ended.log.generation, last: ended.tree.size },
        },
      ],
    );
    if (!applied) throw new ConflictError('begun meanwhile');
  }

  /** One minute, if it was closed. */
  async minute(log: LogName, minute: string): Promise<ClosedMinute | undefined> {
    const item = await this.#get(logKeys.minute(log, minute));
    return item && toMinute(log, item);
  }

  /** The minutes from `first` on and before `end`, at most so many. */
  async minutes(log: LogName, range: { first: string; end: string }, most: number): Promise<ClosedMinute[]> {
    const found: ClosedMinute[] = [];
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: this.#table,
        KeyConditionExpression: 'pk = :minutes AND sk BETWEEN :first AND :end',
        ExpressionAttributeValues: {
          ':minutes': logKeys.minutes(log),
          ':first': range.first,
          ':end': range.end,
        },
        // A minute that was closed just now must not be closed again with the next one.
        ConsistentRead: true,
        Limit: most + 1,
      },
    );
    for await (const { Items = [] } of pages) {
      const its = Items.map((item) => toMinute(log, item));
      found.push(...its.filter(({ minute }) => minute < range.end));
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  /** The hashes of complete parts of the tree. */
  async nodes(log: LogName, refs: readonly NodeRef[]): Promise<Buffer[]> {
    const places = refs.map(({ level, index }) => ({ ...logKeys.nodes(log, lastLeaf(level, index)), level }));
    const names = [...new Map(places.map(({ pk, sk }) => [sk, { pk, sk }])).values()];
    const found = new Map<string, Buffer[]>();
    for (let from = 0; from < names.length; from += batchOfKeys)
      for (const item of await this.#batch(names.slice(from, from + batchOfKeys))) {
        const { sk, hashes } = v.parse(nodesItem, item);
        found.set(sk, hashesIn(hashes));
      }
    return places.map(({ sk, level }) => {
      const node = found.get(sk)?.[level];
      if (!node) throw new MissingNode(`The log lacks the node ${level} of leaf ${sk}.`);
      return node;
    });
  }

  async #batch(Keys: { pk: string; sk: string }[]): Promise<Item[]> {
    const answer = await batchGet(
      async (RequestItems) => await this.#client.send(new BatchGetCommand({ RequestItems })),
      { [this.#table]: { Keys, ConsistentRead: true } },
    );
    return answer.get(this.#table) ?? [];
  }

  async #get(Key: { pk: string; sk: string }, isConsistent = false): Promise<Item | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key, ConsistentRead: isConsistent }),
    );
    return item;
  }

  /** As an update, which needs no other permission than that of the head. */
  #write(Key: { pk: string; sk: string }, set: Item): Write {
    const { update, names, values } = updateOf({ set });
    return {
      Update: {
        TableName: this.#table,
        Key,
        UpdateExpression: update,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [`:${name}`, value]),
        ),
      },
    };
  }
}

/** The leaf that completes a part of the tree. */
const lastLeaf = (level: number, index: number): number => (index + 1) * 2 ** level - 1;
