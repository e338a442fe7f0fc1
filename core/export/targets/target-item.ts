import * as v from 'valibot';
import { categories, type TargetRef } from '../../events/target-ref.ts';
import type { Item } from '../../aws/dynamodb-client.ts';
import { target as schema, type Target } from './target.ts';

export const targetPrefix = 'target#';
export const targetPartition = (tenantId: string): string => `tenant#${tenantId}`;

/** A target is an item of the tenants table. */
export const targetKey = ({ tenantId, category }: TargetRef) => ({
  pk: targetPartition(tenantId),
  sk: `${targetPrefix}${category}`,
});

/** @returns nothing where the key is not that of a target */
export function refOfKey({ pk, sk }: { pk?: unknown; sk?: unknown }): TargetRef | undefined {
  const tenantId = /^tenant#(.+)$/.exec(String(pk))?.[1];
  const category = categories.find((one) => sk === `target#${one}`);
  return tenantId !== undefined && category ? { tenantId, category } : undefined;
}

/** @returns nothing where the item is malformed */
export const readTarget = (item: Item): Target | undefined => {
  const result = v.safeParse(schema, item);
  return result.success ? result.output : undefined;
};
