/** How long events take from being recorded to their arrival in a stream. */
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import { unwrap } from '../../../tools/client/exported-events.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import { growingPauses } from '../../support/pauses.ts';
import { longestWaitMs } from './arrivals.ts';

/** When each event arrived, as the stream itself says. */
export class ArrivalTimes {
  readonly #client: KinesisClient;
  readonly #iterators: string[];
  readonly #times = new Map<string, number>();

  private constructor(client: KinesisClient, iterators: string[]) {
    this.#client = client;
    this.#iterators = iterators;
  }

  static async of({ aws }: StackFile, StreamName: string): Promise<ArrivalTimes> {
    const client = new KinesisClient(accessAs('READER', aws, 'kinesis'));
    const { Shards = [] } = await client.send(new ListShardsCommand({ StreamName }));
    const iterators = Shards.map(async ({ ShardId }) => {
      const from = { StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
      return (await client.send(new GetShardIteratorCommand(from))).ShardIterator ?? '';
    });
    return new ArrivalTimes(client, await Promise.all(iterators));
  }

  /** Milliseconds since 1970, for each event; waits until all are there. */
  async of(ids: readonly string[]): Promise<number[]> {
    const end = Date.now() + longestWaitMs;
    const pause = growingPauses();
    while (ids.some((id) => !this.#times.has(id))) {
      if (Date.now() > end) throw new Error('Not all events came');
      await Promise.all(this.#iterators.map(async (_, index) => await this.#read(index)));
      await pause();
    }
    return ids.map((id) => this.#times.get(id) ?? 0);
  }

  close(): void {
    this.#client.destroy();
  }

  async #read(index: number): Promise<void> {
    const ShardIterator = this.#iterators[index];
    const { Records = [], NextShardIterator = '' } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator }),
    );
    this.#iterators[index] = NextShardIterator;
    for (const { Data, ApproximateArrivalTimestamp } of Records) {
      for (const { metadata } of unwrap(new TextDecoder().decode(Data))) {
        const known = this.#times.get(metadata.eventId) ?? Infinity;
        this.#times.set(metadata.eventId, Math.min(known, ApproximateArrivalTimestamp?.getTime() ?? 0));
      }
    }
  }
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
