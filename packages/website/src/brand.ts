import { exchange } from '../../http/src/exchange.ts';
import { fail } from './omi-error.ts';
import { seenOn, textOn } from './brand-colors.ts';

/** How a tenant presents itself to its users, as the operator registered it. */
export type Brand = {
  name: string;
  /** Like #0a7d4f. */
  color?: string;
  logoUrl?: string;
  supportUrl?: string;
  /** How the users' app presents itself, if the operator gave it a brand. */
  app?: { name: string; color?: string };
};

/** As long as caches may keep the answer. */
const keptMs = 5 * 60_000;
/** A page does not wait longer for its colours. */
const patienceMs = 1_000;

type Surroundings = { baseUrl: string; fetch: typeof globalThis.fetch; now: () => number };

/** Loads brands by the tenants' ids, and keeps them for 5 minutes. Undefined if there is none, or no answer. */
export function brandSource({ baseUrl, fetch, now }: Surroundings) {
  const kept = new Map<string, { brand: Promise<Brand | undefined>; until: number }>();

  const load = async (tenantId: string): Promise<Brand | undefined> => {
    try {
      const url = `${baseUrl}/omi/device/tenants/${encodeURIComponent(tenantId)}`;
      const { ok, body } = await exchange({ fetch, fail }, { method: 'GET', url, patienceMs });
      return ok && isBrand(body) ? body : undefined;
    } catch {
      return undefined;
    }
  };

  return async (tenantId: string): Promise<Brand | undefined> => {
    const known = kept.get(tenantId);
    if (known && now() < known.until) return await known.brand;
    const brand = load(tenantId);
    kept.set(tenantId, { brand, until: now() + keptMs });
    const loaded = await brand;
    if (!loaded) kept.delete(tenantId);
    return loaded;
  };
}

const isBrand = (body: unknown): body is Brand =>
  typeof body === 'object' && body !== null && 'name' in body && typeof body.name === 'string';

const isColor = (color: unknown): color is string =>
  typeof color === 'string' && /^#[\da-f]{6}$/i.test(color);

/** The colours of a page's elements: both are seen on each other, and the first on white and on black. */
export type Accent = { accent: string; onAccent: string };

/** By the tenant's colour, or else by that of the app. */
export function accentOf({ app, color = app?.color }: Partial<Brand> = {}): Accent | undefined {
  if (!isColor(color)) return undefined;
  const accent = seenOn(color);
  return { accent, onAccent: textOn(accent) };
}
