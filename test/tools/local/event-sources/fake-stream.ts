import type { Shard } from '@aws-sdk/client-dynamodb-streams';
import type { Checkpoint } from '../../../../tools/local/event-sources/checkpoints.ts';
import type { ShardedStream } from '../../../../tools/local/event-sources/stream-shards.ts';

/** Its records are told by their sequence numbers. */
export type FakeShard = { id: string; parent?: string; numbers: number[]; isClosed?: boolean };

/** A stream whose shards split when a test says so: on DynamoDB Local that takes hours. */
export class FakeStream implements ShardedStream {
  readonly arn = 'arn:aws:dynamodb:eu-central-1:000000000000:table/table/stream/now';
  readonly #shards: FakeShard[];
  #failures = 0;

  constructor(shards: FakeShard[]) {
    this.#shards = shards;
  }

  /** Closes a shard in favour of another. */
  split(id: string, child: FakeShard): void {
    this.#shard(id).isClosed = true;
    this.#shards.push(child);
  }

  write(id: string, number: number): void {
    this.#shard(id).numbers.push(number);
  }

  /** So many of the next calls fail. */
  failNext(times: number): void {
    this.#failures = times;
  }

  list(): Promise<Shard[]> {
    return this.#answer(
      this.#shards.map(({ id, parent }) => ({ ShardId: id, ...(parent && { ParentShardId: parent }) })),
    );
  }

  iteratorFrom(shardId: string, { through }: Checkpoint): Promise<string> {
    const { numbers } = this.#shard(shardId);
    const place = through === undefined ? 0 : numbers.indexOf(Number(through)) + 1;
    return this.#answer(`${shardId}/${place}`);
  }

  read(iterator: string) {
    const [id = '', place] = iterator.split('/');
    const { numbers, isClosed } = this.#shard(id);
    const records = numbers
      .slice(Number(place))
      .map((number) => ({ eventName: 'INSERT' as const, dynamodb: { SequenceNumber: String(number) } }));
    const next = isClosed ? undefined : `${id}/${numbers.length}`;
    return this.#answer({ records, next });
  }

  #shard(id: string): FakeShard {
    const shard = this.#shards.find((one) => one.id === id);
    if (!shard) throw new Error(`There is no shard ${id}`);
    return shard;
  }

  #answer<Answer>(answer: Answer): Promise<Answer> {
    this.#failures -= 1;
    return this.#failures < 0 ? Promise.resolve(answer) : Promise.reject(new Error('throttled'));
  }
}
