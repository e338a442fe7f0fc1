import type { AcceptanceStore } from '../../events/acceptance-store.ts';
import type { EventName } from '../../events/event-keys.ts';
import { invalidField, Refusal } from '../../kernel/refusal.ts';
import { findLeaf, type FindingDeps } from './find-leaf.ts';
import { itemNameOf, leavesOfPage, type LeafPage } from './leaf-page.ts';
import type { LogName } from './log-keys.ts';
import type { LogHead } from './log-head.ts';
import type { ClosedMinute, LogStore } from './log-store.ts';
import { pathOf } from './merkle-tree.ts';
import { consistencySpans, inclusionSpans, nodesOf, type Span, spanHash } from './proofs.ts';

export type ProofDeps = {
  events: Pick<AcceptanceStore, 'find'>;
  logs: FindingDeps['logs'] & Pick<LogStore, 'nodes'>;
  leaves: FindingDeps['leaves'];
};

/** Where an event is in the batch of its minute. */
type Place = { minute: ClosedMinute; leafIndex: number; path: Buffer[] };

export type InclusionProof = {
  minute: { minute: string; count: number; leafIndex: number };
  minutePath: string[];
  leafIndex: number;
  treeSize: number;
  path: string[];
};

const base64 = (hashes: readonly Uint8Array[]): string[] =>
  hashes.map((hash) => Buffer.from(hash).toString('base64'));

const notInLog = (): Refusal =>
  new Refusal(
    'not-in-log',
    'There is no such event in the log of this size. An event is in the log 2½ minutes after its acceptance, and can be looked for 14 days.',
  );

/**
 * Proves that an event is in the tree of `size` leaves.
 *
 * @throws {Refusal} `not-in-log`
 */
export async function proveInclusion(
  deps: ProofDeps,
  { log }: Pick<LogHead, 'log'>,
  event: EventName,
  size: number,
): Promise<InclusionProof> {
  const place = await placeOf(deps, log, event);
  if (!place || place.minute.leafIndex >= size) throw notInLog();
  const { minute, leafIndex, path } = place;
  const hashes = await hashesOf(deps, log, inclusionSpans(minute.leafIndex, size));
  return {
    minute: { minute: minute.minute, count: minute.count, leafIndex },
    minutePath: base64(path),
    leafIndex: minute.leafIndex,
    treeSize: size,
    path: base64(hashes),
  };
}

async function placeOf(deps: ProofDeps, log: LogName, event: EventName): Promise<Place | undefined> {
  const sequence = await deps.events.find(log.tenantId, event);
  if (sequence === undefined) return undefined;
  const { eventId } = event;
  const positionIn = (leaves: LeafPage) => leaves.positionOf(eventId, itemNameOf(sequence));
  const found = await findLeaf(deps, log, { sequence, eventId, positionIn });
  if (!found) return undefined;
  const { minute, page, position, leaves, roots } = found;
  const hashes = leaves.leaves().map(({ hash }) => hash);
  const path = [...pathOf(hashes, position), ...pathOf(roots, page)];
  return { minute, leafIndex: page * leavesOfPage + position, path };
}

/** @throws {Refusal} `invalid-request` */
export async function proveConsistency(
  deps: { logs: Pick<LogStore, 'nodes'> },
  { log, tree }: Pick<LogHead, 'log' | 'tree'>,
  { from, to }: Span,
): Promise<{ path: string[] }> {
  if (from > to) throw invalidField('#/query/to', 'expected a size that is not smaller than from');
  checkSize('#/query/to', to, tree.size);
  return { path: base64(await hashesOf(deps, log, consistencySpans(from, to))) };
}

/** @throws {Refusal} `invalid-request` if the log has never had this size */
export function checkSize(pointer: string, size: number, largest: number): void {
  if (size > largest) throw invalidField(pointer, `expected a size of the log, which has ${largest} leaves`);
}

async function hashesOf(
  { logs }: { logs: Pick<LogStore, 'nodes'> },
  log: LogName,
  spans: readonly Span[],
): Promise<Buffer[]> {
  const parts = spans.map(nodesOf);
  const hashes = (await logs.nodes(log, parts.flat())).values();
  return parts.map((nodes) => spanHash(nodes.flatMap(() => hashes.next().value ?? [])));
}
