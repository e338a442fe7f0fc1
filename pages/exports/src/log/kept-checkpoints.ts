import type { Category } from '../api/shapes.ts';

/** The last checkpoint that this browser has verified, and since when it has known the log. */
export type KeptCheckpoint = { text: string; since: string };

const keyOf = (tenantId: string, category: Category): string => `checkpoint ${tenantId} ${category}`;

const isKept = (value: unknown): value is KeptCheckpoint => {
  if (typeof value !== 'object' || value === null) return false;
  const { text, since } = value as Partial<Record<keyof KeptCheckpoint, unknown>>;
  return typeof text === 'string' && typeof since === 'string' && !Number.isNaN(Date.parse(since));
};

/** Checkpoints outlive a visit: a log that is compared with itself alone could have any history. They are no secrets. */
export class KeptCheckpoints {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  find(tenantId: string, category: Category): KeptCheckpoint | undefined {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(keyOf(tenantId, category)) ?? 'null');
      return isKept(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  /** A browser may keep nothing. Then somebody else must, and paste it. */
  keep(tenantId: string, category: Category, kept: KeptCheckpoint): void {
    try {
      this.#storage.setItem(keyOf(tenantId, category), JSON.stringify(kept));
    } catch {
      // The page still shows the checkpoint to copy.
    }
  }
}
