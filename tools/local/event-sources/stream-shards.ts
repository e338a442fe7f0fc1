import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { Checkpoint } from './checkpoints.ts';

export type StreamClients = { dynamodb: DynamoDBClient; streams: DynamoDBStreamsClient };

type Reading = { client: DynamoDBStreamsClient; abortSignal: AbortSignal };

/** A stream that can be read shard by shard. */
export type ShardedStream = {
  arn: string;
  list(): Promise<Shard[]>;
  /** After the checkpoint; from the oldest record if there is none, or if its record is no longer in the stream. */
  iteratorFrom(shardId: string, checkpoint: Checkpoint): Promise<string | undefined>;
  /** @returns the next iterator; undefined at the end of a closed shard */
  read(iterator: string, limit: number): Promise<{ records: StreamRecord[]; next: string | undefined }>;
};

/** The stream of a table. */
export class StreamShards implements ShardedStream {
  readonly arn: string;
  readonly #client: DynamoDBStreamsClient;
  readonly #options: { abortSignal: AbortSignal };

  constructor(arn: string, { client, abortSignal }: Reading) {
    this.arn = arn;
    this.#client = client;
    this.#options = { abortSignal };
  }

  static async ofTable(
    TableName: string,
    { dynamodb, streams }: StreamClients,
    abortSignal: AbortSignal,
  ): Promise<StreamShards> {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }), { abortSignal });
    if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${TableName} has no stream`);
    return new StreamShards(Table.LatestStreamArn, { client: streams, abortSignal });
  }

  async list(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.#client.send(
        new DescribeStreamCommand({ StreamArn: this.arn, ExclusiveStartShardId }),
        this.#options,
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId !== undefined);
    return shards;
  }

  async iteratorFrom(ShardId: string, { through }: Checkpoint): Promise<string | undefined> {
    const position =
      through === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' as const }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: through };
    try {
      const { ShardIterator } = await this.#client.send(
        new GetShardIteratorCommand({ StreamArn: this.arn, ShardId, ...position }),
        this.#options,
      );
      return ShardIterator;
    } catch (error) {
      if (error instanceof TrimmedDataAccessException) return await this.iteratorFrom(ShardId, {});
      throw error;
    }
  }

  async read(
    ShardIterator: string,
    Limit: number,
  ): Promise<{ records: StreamRecord[]; next: string | undefined }> {
    const { Records = [], NextShardIterator } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator, Limit }),
      this.#options,
    );
    return { records: Records, next: NextShardIterator };
  }
}
