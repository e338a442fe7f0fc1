/**
 * Reads a stream for as long as it runs: `node container.ts <stream> <table>`. The table has the key `shardId`, a string. Run one
 * for each stream; to spread the shards over several, use the Kinesis Client Library and `decodeRecord`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  type Shard,
} from '@aws-sdk/client-kinesis';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { Consumer, decodeRecord } from '@omi/consumer';
import { handlers } from './handlers.ts';

const [StreamName = '', TableName = ''] = process.argv.slice(2);
const kinesis = new KinesisClient();
const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const consumer = new Consumer({ handlers });

/** In place of a sequence number: the shard was split or merged, and all its records were handled. */
const closed = 'CLOSED';
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

async function checkpoints(): Promise<Map<string, string>> {
  const { Items = [] } = await table.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return new Map(Items.map(({ shardId, position }) => [String(shardId), String(position)]));
}

async function save(shardId: string, position: string): Promise<void> {
  await table.send(new PutCommand({ TableName, Item: { shardId, position } }));
}

async function allShards(): Promise<Shard[]> {
  const shards: Shard[] = [];
  let NextToken: string | undefined;
  do {
    const page = await kinesis.send(new ListShardsCommand(NextToken ? { NextToken } : { StreamName }));
    shards.push(...(page.Shards ?? []));
    ({ NextToken } = page);
  } while (NextToken);
  return shards;
}

/** Shards that are not closed, and whose parents are: a child has later events of the same aggregates. */
function readable(shards: Shard[], done: ReadonlyMap<string, string>): Shard[] {
  const isOpen = (id?: string): boolean =>
    shards.some(({ ShardId }) => ShardId === id) && done.get(id ?? '') !== closed;
  return shards.filter(
    ({ ShardId, ParentShardId, AdjacentParentShardId }) =>
      isOpen(ShardId) && !isOpen(ParentShardId) && !isOpen(AdjacentParentShardId),
  );
}

/** Handles some pages of a shard. The position is saved after the events are handled, so a stop loses none. */
async function read(ShardId: string, position: string | undefined): Promise<void> {
  const after =
    position === undefined
      ? { ShardIteratorType: 'TRIM_HORIZON' as const }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, StartingSequenceNumber: position };
  let { ShardIterator } = await kinesis.send(new GetShardIteratorCommand({ StreamName, ShardId, ...after }));
  for (let page = 0; page < 100 && ShardIterator && !stop.signal.aborted; page += 1) {
    const { Records: records = [], NextShardIterator } = await kinesis.send(
      new GetRecordsCommand({ ShardIterator, Limit: 100 }), // After a fault, only one page comes again.
    );
    await consumer.handle(records.flatMap(({ Data }) => decodeRecord(Data ?? new Uint8Array())));
    const last = records.at(-1)?.SequenceNumber;
    if (last !== undefined) await save(ShardId, last);
    ShardIterator = NextShardIterator;
    await sleep(200); // A shard answers five reads a second.
  }
  if (!ShardIterator) await save(ShardId, closed);
}

while (!stop.signal.aborted) {
  const [shards, done] = await Promise.all([allShards(), checkpoints()]);
  await Promise.all(
    readable(shards, done).map(async ({ ShardId = '' }) => await read(ShardId, done.get(ShardId))),
  );
}
