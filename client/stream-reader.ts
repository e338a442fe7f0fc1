import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';

export type ExportedRecord = {
  shardId: string;
  sequenceNumber: string;
  partitionKey: string;
  data: string;
};

/**
 * A consumer of a stream. Each `read` returns the new records: from the stream's beginning (`TRIM_HORIZON`), those after
 * `open` (`LATEST`), or those since a time.
 */
export class StreamReader {
  readonly #client: KinesisClient;
  readonly #iterators: Map<string, string>;

  private constructor(client: KinesisClient, iterators: Map<string, string>) {
    this.#client = client;
    this.#iterators = iterators;
  }

  static async open(
    client: KinesisClient,
    StreamName: string,
    from: 'TRIM_HORIZON' | 'LATEST' | Date = 'TRIM_HORIZON',
  ): Promise<StreamReader> {
    const iterators = new Map<string, string>();
    const start =
      from instanceof Date
        ? { ShardIteratorType: 'AT_TIMESTAMP' as const, Timestamp: from }
        : { ShardIteratorType: from };
    for (const ShardId of await shardsOf(client, StreamName)) {
      const command = new GetShardIteratorCommand({ StreamName, ShardId, ...start });
      iterators.set(ShardId, (await client.send(command)).ShardIterator ?? '');
    }
    return new StreamReader(client, iterators);
  }

  /** In order within each shard. */
  async read(): Promise<ExportedRecord[]> {
    const shards = [...this.#iterators.keys()].map(async (shardId) => await this.#readShard(shardId));
    return (await Promise.all(shards)).flat();
  }

  close(): void {
    this.#client.destroy();
  }

  async #readShard(shardId: string): Promise<ExportedRecord[]> {
    const read: ExportedRecord[] = [];
    for (;;) {
      const ShardIterator = this.#iterators.get(shardId);
      // A shard that was split or merged ends.
      if (ShardIterator === undefined) return read;
      const page = await this.#client.send(new GetRecordsCommand({ ShardIterator }));
      const { Records = [], NextShardIterator } = page;
      if (NextShardIterator === undefined) this.#iterators.delete(shardId);
      else this.#iterators.set(shardId, NextShardIterator);
      if (Records.length === 0) return read;
      for (const { SequenceNumber: sequenceNumber = '', PartitionKey: partitionKey = '', Data } of Records) {
        read.push({ shardId, sequenceNumber, partitionKey, data: new TextDecoder().decode(Data) });
      }
    }
  }
}

async function shardsOf(client: KinesisClient, StreamName: string): Promise<string[]> {
  const ids: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListShardsCommand(NextToken ? { NextToken } : { StreamName }));
    ids.push(...(page.Shards ?? []).map(({ ShardId = '' }) => ShardId));
    ({ NextToken } = page);
  } while (NextToken);
  return ids;
}
