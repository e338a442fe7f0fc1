import * as v from 'valibot';
import {
  categories,
  isStreamName,
  streamIdOf,
  streamName,
  type StreamName,
  type TargetRef,
} from '../../events/target-ref.ts';
import type { Item } from '../../aws/dynamodb-client.ts';
import { target as schema, type Target } from './target.ts';

export const targetPrefix = 'target#';
export const streamPrefix = 'signals#';
export const targetPartition = (tenantId: string): string => `tenant#${tenantId}`;

/** A target is an item of the tenants table. */
export const targetKey = ({ tenantId, category }: TargetRef) => ({
  pk: targetPartition(tenantId),
  sk: isStreamName(category) ? `${streamPrefix}${streamIdOf(category)}` : `${targetPrefix}${category}`,
});

export const tenantOfKey = (pk: unknown): string | undefined => /^tenant#(.+)$/.exec(String(pk))?.[1];

/** @returns nothing where the key is not that of a target */
export function refOfKey({ pk, sk }: { pk?: unknown; sk?: unknown }): TargetRef | undefined {
  const tenantId = tenantOfKey(pk);
  const category = categories.find((one) => sk === `${targetPrefix}${one}`) ?? streamIn(String(sk));
  return tenantId !== undefined && category ? { tenantId, category } : undefined;
}

function streamIn(sk: string): StreamName | undefined {
  const name = streamName(sk.slice(streamPrefix.length));
  return sk.startsWith(streamPrefix) && isStreamName(name) ? name : undefined;
}

/** @returns nothing where the item is malformed */
export const readTarget = (item: Item): Target | undefined => {
  const result = v.safeParse(schema, item);
  return result.success ? result.output : undefined;
};
