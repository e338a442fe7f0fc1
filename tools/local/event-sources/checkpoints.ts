import { openJsonFile } from '../aws/json-file.ts';

/** How far a Lambda has read a shard: up to a record, or to its end. */
export type Checkpoint = { through?: string; isClosed?: true };

type Kept = Record<string, Checkpoint>;

/** The checkpoint of each Lambda in each shard, kept in the data folder. */
export class Checkpoints {
  readonly #kept: Map<string, Checkpoint>;
  readonly #file;

  /** @param path without it the checkpoints are only in memory */
  constructor(path: string | undefined) {
    this.#file = openJsonFile<Kept>(path, () => Object.fromEntries(this.#kept));
    this.#kept = new Map(Object.entries(this.#file.saved ?? {}));
  }

  get(lambda: string, shardId: string): Checkpoint {
    return this.#kept.get(`${lambda}/${shardId}`) ?? {};
  }

  set(lambda: string, shardId: string, checkpoint: Checkpoint): void {
    this.#kept.set(`${lambda}/${shardId}`, checkpoint);
    this.#file.changed();
  }

  /** Forgets shards that are no longer in the stream. */
  retain(lambda: string, shardIds: ReadonlySet<string>): void {
    for (const key of this.#kept.keys()) {
      const isOwn = key.startsWith(`${lambda}/`);
      if (isOwn && !shardIds.has(key.slice(lambda.length + 1))) this.#kept.delete(key);
    }
  }

  async flush(): Promise<void> {
    await this.#file.flush();
  }
}
