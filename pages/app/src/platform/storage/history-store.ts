import type { History, HistoryEntry } from '../model.ts';
import { resultOf, type Database } from './database.ts';
import { historyStoreName } from './schema.ts';

/** Entries of one account that are kept. */
const keptEntries = 200;

export class HistoryStore implements History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(deviceId?: string): Promise<HistoryEntry[]> {
    const entries = await this.#database.read(historyStoreName, async (transaction) => {
      const index = transaction.objectStore(historyStoreName).index('byTime');
      return (await resultOf(index.getAll(deviceId && entriesOf(deviceId)))) as HistoryEntry[];
    });
    return entries.sort((one, other) => other.at - one.at);
  }

  async add(entry: HistoryEntry): Promise<void> {
    await this.#database.write(historyStoreName, async (transaction) => {
      const store = transaction.objectStore(historyStoreName);
      const known = (await resultOf(store.get(keyOf(entry)))) as HistoryEntry | undefined;
      // Another tab sees what was answered here as withdrawn.
      if (known && isAnswer(known) && !isAnswer(entry)) return;
      await resultOf(store.put(entry));
      const oldestFirst = await resultOf(store.index('byTime').getAllKeys(entriesOf(entry.deviceId)));
      for (const key of oldestFirst.slice(0, -keptEntries)) await resultOf(store.delete(key));
    });
  }
}

const keyOf = ({ deviceId, challengeId }: HistoryEntry): string[] => [deviceId, challengeId];

const isAnswer = ({ outcome }: HistoryEntry): boolean => outcome !== 'cancelled' && outcome !== 'expired';

/** In IndexedDB's order an array is greater than any number. */
const entriesOf = (deviceId: string): IDBKeyRange => IDBKeyRange.bound([deviceId], [deviceId, []]);
