import { openJsonFile } from '../aws/json-file.ts';

/** How far a Lambda has got in a shard: through a record, or through all of it. */
export type Checkpoint = { through?: string; isClosed?: true };

type Kept = Record<string, Checkpoint>;

/** How far each Lambda has got in each shard; over the end of the stack where its data are kept. */
export class Checkpoints {
  readonly #kept: Map<string, Checkpoint>;
  readonly #file;

  /** @param path in memory without it */
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

  /** Shards that are no longer in the stream are nobody's business. */
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
