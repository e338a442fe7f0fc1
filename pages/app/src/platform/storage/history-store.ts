import type { History, HistoryEntry } from '../platform.ts';
import { resultOf, type Database } from './database.ts';
import { HISTORY } from './schema.ts';

/** Entries of one account that are kept. */
const KEPT = 200;

export class HistoryStore implements History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(deviceId?: string): Promise<HistoryEntry[]> {
    const entries = await this.#database.read(HISTORY, async (transaction) => {
      const index = transaction.objectStore(HISTORY).index('byTime');
      return (await resultOf(index.getAll(deviceId && entriesOf(deviceId)))) as HistoryEntry[];
    });
    return entries.sort((one, other) => other.at - one.at);
  }

  async add(entry: HistoryEntry): Promise<void> {
    await this.#database.write(HISTORY, async (transaction) => {
      const store = transaction.objectStore(HISTORY);
      const known = (await resultOf(store.get(keyOf(entry)))) as HistoryEntry | undefined;
      // Another tab sees what was answered here as withdrawn.
      if (known && isAnswer(known) && !isAnswer(entry)) return;
      await resultOf(store.put(entry));
      const oldestFirst = await resultOf(store.index('byTime').getAllKeys(entriesOf(entry.deviceId)));
      for (const key of oldestFirst.slice(0, -KEPT)) await resultOf(store.delete(key));
    });
  }
}

const keyOf = ({ deviceId, challengeId }: HistoryEntry): string[] => [deviceId, challengeId];

const isAnswer = ({ outcome }: HistoryEntry): boolean => outcome !== 'cancelled' && outcome !== 'expired';

/** In IndexedDB's order an array is greater than any number. */
const entriesOf = (deviceId: string): IDBKeyRange => IDBKeyRange.bound([deviceId], [deviceId, []]);
