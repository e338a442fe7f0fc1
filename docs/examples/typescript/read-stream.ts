/** Reads what is in a stream now, from its oldest record on: `node read-stream.ts <stream>` */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import { handle, SeenEvents, unwrap } from './events.ts';
import { handlers } from './handlers.ts';

/** In order of their ids: a shard that was split or merged before those that it became. */
async function shardsOf(client: KinesisClient, StreamName: string): Promise<string[]> {
  const ids: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListShardsCommand(NextToken ? { NextToken } : { StreamName }));
    ids.push(...(page.Shards ?? []).map(({ ShardId = '' }) => ShardId));
    ({ NextToken } = page);
  } while (NextToken);
  return ids.sort();
}

async function* recordsOf(client: KinesisClient, StreamName: string): AsyncGenerator<Uint8Array> {
  for (const ShardId of await shardsOf(client, StreamName)) {
    const start = new GetShardIteratorCommand({ StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    let { ShardIterator } = await client.send(start);
    while (ShardIterator) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator }));
      for (const { Data } of page.Records ?? []) if (Data) yield Data;
      if (!page.MillisBehindLatest) break;
      ShardIterator = page.NextShardIterator;
      await sleep(200); // A shard answers five reads a second.
    }
  }
}

const [stream = ''] = process.argv.slice(2);
const seen = new SeenEvents();
for await (const data of recordsOf(new KinesisClient(), stream)) await handle(unwrap(data), handlers, seen);
