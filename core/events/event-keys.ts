import { createHash } from 'node:crypto';
import type { Event } from './event.ts';
import { sha256 } from '../kernel/identifiers.ts';
import type { TargetRef } from './target-ref.ts';

const logPrefix = 'log#';

/** What finds an event of a tenant. */
export type EventName =
  | { category: 'public'; eventId: string; aggregateId: string }
  | { category: 'log'; eventId: string; agent?: string | undefined };

/** The unit of ordering, which is the table's partition: an aggregate, or the log events of an agent. */
export const partitionOf = (tenantId: string, name: EventName): string =>
  name.category === 'public'
    ? `${tenantId}#${name.aggregateId}`
    : `${logPrefix}${tenantId}#${name.agent ?? name.eventId.toLowerCase()}`;

/** A UUID is the same in upper and in lower case (RFC 9562). */
export const keyOf = (tenantId: string, name: EventName) => ({
  pk: partitionOf(tenantId, name),
  sk: name.eventId.toLowerCase(),
});

export const eventKey = (tenantId: string, { metadata }: Event) => keyOf(tenantId, metadata);

const targetPattern = /^(log#)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})#$/i;

const targets = new Map<string, TargetRef>();
const keptTargets = 10_000;

/** The target of a partition's events. A batch has few different targets, so each is parsed once. */
export function targetOf(partition: string): TargetRef | undefined {
  const tenantAt = partition.startsWith(logPrefix) ? logPrefix.length : 0;
  const prefix = partition.slice(0, partition.indexOf('#', tenantAt) + 1);
  const known = targets.get(prefix);
  if (known) return known;
  const [, log, tenantId] = targetPattern.exec(prefix) ?? [];
  if (tenantId === undefined) return undefined;
  if (targets.size === keptTargets) targets.clear();
  const target: TargetRef = { tenantId, category: log === undefined ? 'public' : 'log' };
  targets.set(prefix, target);
  return target;
}

/**
 * Who accepts an event: the service itself, in the transaction of its change of state, or the API for events of the platform.
 * They have index keys of their own, because a throttled key rejects the writes of its items: a tenant's platform cannot slow
 * confirmations.
 */
export const acceptedBy = ['service', 'platform'] as const;
export type AcceptedBy = (typeof acceptedBy)[number];

/** A partition of an index takes only 1,000 writes a second. */
export const indexShards = 8;

/** Partitions of the index in which the events of a tenant and category are. */
export const indexPartitions = acceptedBy.length * indexShards;

/** Events of one partition of the table have the same shard, which keeps their order. */
export const shardOf = (partition: string): number =>
  createHash('sha256').update(partition).digest().readUInt8() % indexShards;

/** The hour of a time in UTC: `2026-01-15T12`. */
export const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13);

/** A partition of the index. */
export type ArchiveShard = TargetRef & { shard: number; by: AcceptedBy };

/** The index's partition key: 96 bits of a hash, a third of the size of the text. Collisions do not occur in practice. */
export const shardKey = ({ tenantId, category, shard, by }: ArchiveShard): string =>
  sha256(`${tenantId}#${category}#${by}#${shard}`).slice(0, 16);

/** The beginning of a sequence: the time of acceptance, which sorts as text until the year 2286. */
export const sequenceAt = (milliseconds: number): string => String(milliseconds).padStart(13, '0');
