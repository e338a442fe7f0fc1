import type { User } from '../../core/devices/device.ts';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import type { IndexItem } from '../../core/events/event-index-store.ts';
import { hourOf, indexShards } from '../../core/events/event-keys.ts';
import type { CommittedEvent } from '../../core/events/event-stream.ts';
import { categories, describeTarget, type TargetRef } from '../../core/events/target-ref.ts';
import { eraseLeaf, type ErasingDeps } from '../../core/export/log/erase-leaf.ts';
import { leafOf } from '../../core/export/log/leaf.ts';
import { LeafStore } from '../../core/export/log/leaf-store.ts';
import type { LogName } from '../../core/export/log/log-keys.ts';
import { LogStore } from '../../core/export/log/log-store.ts';
import { retention } from '../../core/kernel/retention.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deleteItem } from '../deployment/table-client.ts';
import { readHeads } from '../log/stored-heads.ts';
import { eventIdIn, EventItems } from './event-item-store.ts';
import { isAbout } from './is-about.ts';

type Progress = {
  /** Called before an event is deleted. */
  deleting: () => Promise<void>;
  /** Called after each page with the number of items that were read. */
  read: (items: number) => void;
};

/** How many events were erased, and how many stay because they are not in the log yet. */
export type ErasedEvents = { erased: number; open: number };

/**
 * Erases the events about a user. Of their leaves only the hashes stay, so that the log still verifies. An event that is not in the
 * log yet stays: without its leaf, its tenant could not tell it from one that was never accepted.
 */
export async function eraseEvents(
  deployment: Deployment,
  user: User,
  progress: Progress,
): Promise<ErasedEvents> {
  const total: ErasedEvents = { erased: 0, open: 0 };
  for (const category of categories) {
    const eraser = await EventEraser.of(deployment, user, { tenantId: user.tenantId, category });
    const { erased, open } = await eraser.erase(progress);
    total.erased += erased;
    total.open += open;
  }
  return total;
}

class EventEraser {
  readonly #deployment: Deployment;
  readonly #user: User;
  readonly #ref: TargetRef;
  readonly #archive: EventArchiveStore;
  readonly #events: EventItems;
  readonly #deps: ErasingDeps;
  readonly #logs: readonly LogName[];
  readonly #hours = new Set<string>();

  private constructor(
    deployment: Deployment,
    user: User,
    { ref, logs, deps }: { ref: TargetRef; logs: readonly LogName[]; deps: ErasingDeps },
  ) {
    this.#deployment = deployment;
    this.#user = user;
    this.#ref = ref;
    const { clients, tables } = deployment;
    this.#archive = new EventArchiveStore(clients.dynamodb, tables.events);
    this.#events = new EventItems(clients.dynamodb, tables.events);
    this.#deps = deps;
    this.#logs = logs;
  }

  static async of(deployment: Deployment, user: User, ref: TargetRef): Promise<EventEraser> {
    const { clients, tables } = deployment;
    const logs = new LogStore(clients.dynamodb, tables.log);
    const { all } = await readHeads(logs, ref);
    const deps = { logs, leaves: new LeafStore(clients.dynamodb, tables.log) };
    return new EventEraser(deployment, user, { ref, logs: all.map(({ log }) => log).toReversed(), deps });
  }

  async erase({ deleting, read }: Progress): Promise<ErasedEvents> {
    const total = { erased: 0, open: 0 };
    let count = 0;
    for await (const items of this.#pages()) {
      const { events } = await this.#archive.read(items, this.#ref);
      for (const [sequence, its] of Map.groupBy(events, (event) => event.sequence)) {
        const about = its.filter(({ event }) => isAbout(event, this.#user.userId));
        if (about.length === 0) continue;
        const erased = await this.#withoutLeaves(about);
        if (erased.length > 0) await deleting();
        const item = items.find((one) => one['sequence']?.S === sequence);
        if (item && erased.length > 0) await this.#events.remove(item, { its, erased });
        if (erased.length > 0) this.#hours.add(hourOf(Number.parseInt(sequence, 10)));
        total.erased += erased.length;
        total.open += about.length - erased.length;
      }
      count += items.length;
      read(count);
    }
    await this.#forgetSums();
    return total;
  }

  async *#pages(): AsyncGenerator<IndexItem[]> {
    const now = Date.now();
    const range = { ...this.#ref, from: now - retention.event, to: now };
    for (let shard = 0; shard < indexShards; shard += 1) {
      let after: string | undefined;
      do {
        const { items, last } = await this.#archive.keys(range, { shard, after });
        if (items.length > 0) yield items;
        after = last;
      } while (after !== undefined);
    }
  }

  /** Leaves first: if the command is killed, the event is still there to be found. @returns those that had a leaf */
  async #withoutLeaves(events: readonly CommittedEvent[]): Promise<CommittedEvent[]> {
    const erased: CommittedEvent[] = [];
    for (const one of events) if (await this.#eraseLeaf(one)) erased.push(one);
    return erased;
  }

  async #eraseLeaf({ event, sequence }: CommittedEvent): Promise<boolean> {
    const leaf = leafOf(event, eventIdIn(event));
    for (const log of this.#logs) if (await eraseLeaf(this.#deps, log, leaf, sequence)) return true;
    return false;
  }

  /** The ledger counts these hours again, from the events that are left. */
  async #forgetSums(): Promise<void> {
    const { clients, tables } = this.#deployment;
    for (const hour of this.#hours)
      await deleteItem(clients.dynamodb, tables.ledger, { pk: describeTarget(this.#ref), sk: hour });
  }
}
