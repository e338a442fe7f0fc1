/**
 * Items of the devices table that say that a tenant is suspended, because calls of devices do not read the tenant. They are
 * read together with the device. A tenant has several, and each user reads one of them, because one item allows only
 * 3,000 reads a second
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

/** The writes that suspend a tenant's devices. */
export const suspensionWrites = (table: string, tenantId: string): Write[] =>
  keysOf(tenantId).map((Item) => ({ Put: { TableName: table, Item } }));

export const resumptionWrites = (table: string, tenantId: string): Write[] =>
  keysOf(tenantId).map((Key) => ({ Delete: { TableName: table, Key } }));
