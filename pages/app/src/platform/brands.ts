import { brand, type Brand } from '#device';
import { logoPathOf } from '#ui/logo-path.ts';
import type { Account } from './model.ts';
import type { AccountStore } from './storage/account-store.ts';
import type { Database } from './storage/database.ts';
import { readValue, writeValue } from './storage/schema.ts';

/** A brand as it is stored for notifications. */
export type StoredBrand = Brand & {
  /** The path of the logo, if systems show it: they know PNG alone. */
  icon?: string;
};

const valueName = (tenantId: string): string => `brand.${tenantId}`;

/** The tenant's brand; without a network the one that was read before. */
export async function loadBrand(database: Database, tenantId: string): Promise<Brand | undefined> {
  try {
    const loaded = await brand(location.origin, tenantId);
    await writeValue(database, valueName(tenantId), { ...loaded, ...(await iconOf(loaded)) });
    return loaded;
  } catch {
    return await readValue<StoredBrand>(database, valueName(tenantId));
  }
}

async function iconOf(loaded: Brand): Promise<{ icon?: string }> {
  const path = logoPathOf(loaded);
  if (path === undefined) return {};
  const logo = await fetch(path);
  return logo.ok && logo.headers.get('content-type') === 'image/png' ? { icon: path } : {};
}

const tenantsNamed = (accounts: readonly Account[], name: string): string[] => [
  ...new Set(accounts.filter(({ tenantName }) => tenantName === name).map(({ tenantId }) => tenantId)),
];

/** The brand of the one tenant with this registered name. Of two with the same name, a push does not say which one sent it. */
export async function brandOfTenantNamed(
  database: Database,
  store: AccountStore,
  name: string,
): Promise<StoredBrand | undefined> {
  const [tenantId, ...others] = tenantsNamed(await store.list(), name);
  if (tenantId === undefined || others.length > 0) return undefined;
  return await readValue<StoredBrand>(database, valueName(tenantId));
}
