import * as v from 'valibot';
import type { Item } from '../aws/dynamodb-client.ts';
import { brand } from './brand.ts';
import { tenantSettings } from './tenant.ts';

const profile = v.object({
  tenantId: v.string(),
  name: v.string(),
  settings: tenantSettings,
  brand: v.optional(brand),
  /** Both times are in milliseconds since 1970. A deleted tenant is also suspended. */
  suspendedAt: v.optional(v.number()),
  deletedAt: v.optional(v.number()),
});

/** A tenant, as the item of the tenants table that its clients' items copy. */
export type Profile = v.InferOutput<typeof profile>;

export function parseProfile(item: Item): Profile {
  const result = v.safeParse(profile, item);
  if (result.success) return result.output;
  throw new Error(`The item ${String(item['pk'])} is malformed: ${v.summarize(result.issues)}`);
}

export type TenantState = 'active' | 'suspended' | 'deleted';

export function tenantState({
  suspendedAt,
  deletedAt,
}: Pick<Profile, 'suspendedAt' | 'deletedAt'>): TenantState {
  if (deletedAt !== undefined) return 'deleted';
  return suspendedAt === undefined ? 'active' : 'suspended';
}
