import { categories, type Category } from '../api/shapes.ts';

/** Which replay to ask the service for. Neither a token nor an event is kept. */
export type KeptReplay = {
  readonly tenantId: string;
  readonly category: Category;
  readonly replayId: string;
};

const key = 'replays';

const isKept = (value: unknown): value is KeptReplay => {
  if (typeof value !== 'object' || value === null) return false;
  const { tenantId, category, replayId } = value as Partial<Record<keyof KeptReplay, unknown>>;
  return (
    typeof tenantId === 'string' &&
    typeof replayId === 'string' &&
    categories.some((known) => known === category)
  );
};

/** The replays that were started in this window, oldest first. They outlive a reload, which the token does not. */
export class KeptReplays {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  of(tenantId: string): readonly KeptReplay[] {
    return this.#all().filter((one) => one.tenantId === tenantId);
  }

  add(replay: KeptReplay): void {
    this.#write([...this.#all(), replay]);
  }

  /** The service no longer has it. */
  remove(replayId: string): void {
    this.#write(this.#all().filter((one) => one.replayId !== replayId));
  }

  #all(): readonly KeptReplay[] {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(key) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isKept) : [];
    } catch {
      return [];
    }
  }

  /** A browser may keep nothing. The replays are then those of this visit. */
  #write(replays: readonly KeptReplay[]): void {
    try {
      this.#storage.setItem(key, JSON.stringify(replays));
    } catch {
      // Nothing is lost but the list after a reload.
    }
  }
}
