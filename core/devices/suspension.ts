/**
 * What tells a device's call that its tenant is suspended: items of the devices table, because such a call reads no
 * tenant. They are read with the device, in the same call. A tenant has several, and each user reads one of them, as
 * one item would bear 3,000 reads a second
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).
 */
import { createHash } from 'node:crypto';
import type { User } from './device.ts';
import type { Write } from '../aws/dynamodb-client.ts';

const shards = 16;
const sort = 'suspension';

const keyOf = (tenantId: string, shard: number) => ({ pk: `suspension#${tenantId}#${shard}`, sk: sort });

const shardOf = (userId: string): number => (createHash('sha256').update(userId).digest()[0] ?? 0) % shards;

/** The item that this user's devices read. */
export const suspensionKey = ({ tenantId, userId }: User) => keyOf(tenantId, shardOf(userId));

export const isSuspension = (item: Record<string, unknown>): boolean => item['sk'] === sort;

const keysOf = (tenantId: string) => [...Array(shards).keys()].map((shard) => keyOf(tenantId, shard));

/** The writes after which a tenant's devices are shut out. */
export const suspensionWrites = (table: string, tenantId: string): Write[] =>
  keysOf(tenantId).map((Item) => ({ Put: { TableName: table, Item } }));

export const resumptionWrites = (table: string, tenantId: string): Write[] =>
  keysOf(tenantId).map((Key) => ({ Delete: { TableName: table, Key } }));
