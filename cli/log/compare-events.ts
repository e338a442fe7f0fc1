import type { LogFinding } from '#consumer';
import { type Archive, ArchiveReader } from '../../core/events/archive-reader.ts';
import { hourOf } from '../../core/events/event-keys.ts';
import { describeTarget, type TargetRef } from '../../core/events/target-ref.ts';
import type { BusyMinuteStore } from '../../core/export/log/busy-minute-store.ts';
import { isInLog } from '../../core/export/log/checkpoint-event.ts';
import { hashOfEvent, leafOf } from '../../core/export/log/leaf.ts';
import { leavesOfPage, type StoredLeaf } from '../../core/export/log/leaf-page.ts';
import type { LeafStore } from '../../core/export/log/leaf-store.ts';
import type { LogHead } from '../../core/export/log/log-head.ts';
import type { ClosedMinute, LogStore } from '../../core/export/log/log-store.ts';
import { rootOf } from '../../core/export/log/merkle-tree.ts';
import { minuteOf } from '../../core/export/log/minute.ts';
import { mapConcurrent } from '../../core/kernel/map-concurrent.ts';
import { hours, minutes } from '../../core/kernel/time.ts';
import { Unmatched } from './unmatched.ts';

export type EventsDeps = {
  archive: Archive;
  busy: Pick<BusyMinuteStore, 'upTo'>;
  logs: Pick<LogStore, 'minutes'>;
  leaves: Pick<LeafStore, 'page'>;
};

export type Listener = {
  /** Called after each hour that has events. */
  compared: (hour: string, events: number) => void;
  /** Called for an item of the events table that cannot be read. */
  unreadable: (reason: string) => void;
};

export type Comparison = {
  findings: LogFinding[];
  /** Events of the log that were compared. */
  compared: number;
  /** Events that were erased, of which the log has only hashes. */
  erased: number;
  /** Events that wait for their minute to be closed. */
  open: number;
};

/** Milliseconds since 1970, without the end. */
type Range = { from: number; to: number };

/** More than the minutes of the 14 days for which leaves are kept. */
const mostMinutes = 25_000;
const pagesAtOnce = 16;
/** An hour with more events is compared minute by minute, so that they fit into memory. */
const mostAtOnce = 200_000;
const bytesOfRead = 4_000_000;
/** So much earlier than the range may events have been accepted that are in one of its minutes. */
const latestMs = 24 * hours;

/**
 * Compares the stored events with the leaves of the log, and the leaves with the roots of their minutes. An event may be in a later
 * minute than that of its acceptance, so what has no partner waits for one.
 */
export class EventComparer {
  readonly #deps: EventsDeps;
  readonly #ref: TargetRef;
  readonly #heads: readonly LogHead[];
  readonly #listener: Listener;
  readonly #leaves = new Unmatched<LonelyLeaf>();
  readonly #events = new Unmatched<StoredEvent>();
  readonly #findings: LogFinding[] = [];
  #compared = 0;

  /** @param heads of the logs of all generations, the oldest first */
  constructor(deps: EventsDeps, ref: TargetRef, heads: readonly LogHead[], listener: Listener) {
    this.#deps = deps;
    this.#ref = ref;
    this.#heads = heads;
    this.#listener = listener;
  }

  /** @param range of which everything is still stored. When the head was read, every minute was closed that is not marked */
  async compare({ from, to }: Range): Promise<Comparison> {
    const busy = await this.#busyMinutes(to);
    const closed = await this.#closedFrom(from);
    const inRange = closed.filter(({ minute }) => minute < minuteOf(to));
    const byHour = Map.groupBy(inRange, ({ minute }) => minute.slice(0, 13));
    for (const range of stretchesOf({ from, to }, (hour) => byHour.has(hour)))
      await this.#compareStretch(range, byHour.get(hourOf(range.from)) ?? []);
    await this.#matchLater(closed.slice(inRange.length));
    await this.#matchEarlier(from);
    const { findings, lonely, erased } = findingsOf(this.#leaves.values(), this.#events.values());
    const isOpen = ({ at }: StoredEvent): boolean => busy.has(minuteOf(at));
    const added = lonely.filter((event) => !isOpen(event)).map(addedOf);
    return {
      findings: [...this.#findings, ...added, ...findings],
      compared: this.#compared,
      erased,
      open: lonely.length - added.length,
    };
  }

  async #busyMinutes(to: number): Promise<ReadonlySet<string>> {
    const name = describeTarget(this.#ref);
    const marks = await this.#deps.busy.upTo(minuteOf(to));
    return new Set(marks.flatMap(({ ref, minute }) => (describeTarget(ref) === name ? [minute] : [])));
  }

  async #closedFrom(from: number): Promise<ClosedMinute[]> {
    const first = minuteOf(Math.ceil(from / minutes) * minutes);
    const found: ClosedMinute[] = [];
    for (const { log, minute: last = '' } of this.#heads) {
      const its = await this.#deps.logs.minutes(log, { first, end: '~' }, mostMinutes);
      // Whoever writes a minute into the table that is not in the tree gives it any leaves.
      found.push(...its.filter(({ minute }) => minute <= last));
    }
    return found;
  }

  async #compareStretch(range: Range, closed: readonly ClosedMinute[]): Promise<void> {
    const count = closed.reduce((total, minute) => total + minute.count, 0);
    const step = count > mostAtOnce ? minutes : range.to - range.from;
    let events = 0;
    for (let from = range.from; from < range.to; from += step) {
      const to = Math.min(from + step, range.to);
      const its = closed.filter(({ minute }) => minute >= minuteOf(from) && Date.parse(minute) < to);
      for (const minute of its) await this.#addMinute(minute);
      events += await this.#addEvents({ from, to });
    }
    this.#compared += count;
    if (count > 0 || events > 0) this.#listener.compared(hourOf(range.from), this.#compared);
  }

  async #addMinute(minute: ClosedMinute): Promise<void> {
    const leaves = await this.#leavesOf(minute);
    if (!rootOf(leaves.map(({ hash }) => hash)).equals(minute.root))
      this.#findings.push({
        fault: 'wrong-root',
        detail: 'The stored leaves are not those of the minute.',
        minute: minute.minute,
      });
    for (const leaf of leaves) {
      const name = nameOf(leaf);
      const eventId = 'eventId' in leaf ? leaf.eventId : undefined;
      if (!this.#events.take(name)) this.#leaves.add(name, { minute: minute.minute, eventId });
    }
  }

  /** A page that is gone has no leaves, so the root differs. */
  async #leavesOf(minute: ClosedMinute): Promise<StoredLeaf[]> {
    const numbers = Array.from({ length: Math.ceil(minute.count / leavesOfPage) }, (_, page) => page);
    const pages = await mapConcurrent(
      numbers,
      pagesAtOnce,
      async (page) => await this.#deps.leaves.page(minute, page),
    );
    return pages.flatMap((page) => page?.leaves() ?? []);
  }

  async #addEvents(range: Range): Promise<number> {
    let count = 0;
    for await (const { name, at, eventId } of this.#eventsOf(this.#ref, range)) {
      count += 1;
      if (!this.#leaves.take(name)) this.#events.add(name, { at, eventId });
    }
    return count;
  }

  async *#eventsOf(ref: TargetRef, { from, to }: Range) {
    const { tenantId, category } = ref;
    const reader = new ArchiveReader(this.#deps.archive, { tenantId, category, from, to });
    for (let isOver = false; !isOver;) {
      const { events, unreadable, next } = await reader.page(bytesOfRead);
      for (const reason of unreadable) this.#listener.unreadable(reason);
      for (const { event, sequence, type } of events) {
        const eventId = isInLog(type) ? eventIdIn(event) : undefined;
        if (eventId === undefined) continue;
        yield { name: nameOf({ hash: hashOfEvent(leafOf(event, eventId)) }), at: timeOf(sequence), eventId };
      }
      isOver = next === undefined;
    }
  }

  /** Events of the range in minutes after it. */
  async #matchLater(closed: readonly ClosedMinute[]): Promise<void> {
    for (const minute of closed) {
      if (this.#events.size === 0) return;
      for (const leaf of await this.#leavesOf(minute)) this.#events.take(nameOf(leaf));
    }
  }

  /** Events that were accepted before the range, in its minutes. */
  async #matchEarlier(from: number): Promise<void> {
    for (let to = from; to > from - latestMs && this.#leaves.size > 0; to -= hours)
      for await (const { name } of this.#eventsOf(this.#ref, { from: to - hours, to }))
        this.#leaves.take(name);
  }
}

const endOfHour = (time: number): number => (Math.floor(time / hours) + 1) * hours;

/** Hours that have minutes, and what is between them: to look for events costs the same for an hour as for many without any. */
function stretchesOf({ from, to }: Range, isBusy: (hour: string) => boolean): Range[] {
  const found: Range[] = [];
  for (let start = from; start < to; start = endOfHour(start)) {
    const range = { from: start, to: Math.min(endOfHour(start), to) };
    const last = found.at(-1);
    if (last && !isBusy(hourOf(start)) && !isBusy(hourOf(last.from))) last.to = range.to;
    else found.push(range);
  }
  return found;
}

const nameOf = ({ hash }: { hash: Buffer }): string => hash.toString('base64');

/** A sequence begins with its time. */
const timeOf = (sequence: string): number => Number.parseInt(sequence, 10);

/** @returns nothing if somebody has edited the event so that it is not one: its leaf then has no event */
function eventIdIn(event: string): string | undefined {
  try {
    const { metadata } = JSON.parse(event) as { metadata?: { eventId?: unknown } };
    return typeof metadata?.eventId === 'string' ? metadata.eventId : undefined;
  } catch {
    return undefined;
  }
}

type LonelyLeaf = { minute: string; eventId: string | undefined };

type StoredEvent = { at: number; eventId: string };

/** A leaf and an event of one id are an event that was edited. @returns besides, the events without any leaf, and the count of erased ones */
function findingsOf(
  leaves: readonly LonelyLeaf[],
  events: readonly StoredEvent[],
): { findings: LogFinding[]; lonely: StoredEvent[]; erased: number } {
  const named = leaves.flatMap(({ minute, eventId }) => (eventId === undefined ? [] : [{ minute, eventId }]));
  const byId = Map.groupBy(named, ({ eventId }) => eventId.toLowerCase());
  const findings: LogFinding[] = [];
  const lonely: StoredEvent[] = [];
  for (const event of events) {
    const { eventId } = event;
    const leaf = byId.get(eventId.toLowerCase())?.pop();
    if (leaf) findings.push(editedOf(eventId, leaf.minute));
    else lonely.push(event);
  }
  const removed = [...byId.values()].flat().map(removedOf);
  return { findings: [...findings, ...removed], lonely, erased: leaves.length - named.length };
}

const editedOf = (eventId: string, minute: string): LogFinding => ({
  fault: 'edited',
  detail: 'The stored event is not the one that was accepted.',
  minute,
  eventId,
});

const addedOf = ({ eventId }: StoredEvent): LogFinding => ({
  fault: 'added',
  detail: 'The stored event is in no minute of the log.',
  eventId,
});

const removedOf = ({ minute, eventId }: { minute: string; eventId: string }): LogFinding => ({
  fault: 'removed',
  detail: 'The event of this leaf is not stored any more.',
  minute,
  eventId,
});
