import type { ShownBrand } from './logo-path.ts';

const patienceMs = 35_000;

/** How a tenant presents itself, by this origin. It is public. If it cannot be read, the registered name is enough. */
export async function tenantBrand(tenantId: string): Promise<ShownBrand | undefined> {
  const response = await fetch(`/omi/device/tenants/${encodeURIComponent(tenantId)}`, {
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined);
  const answer: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined;
  return isBrand(answer) ? answer : undefined;
}

const isBrand = (answer: unknown): answer is ShownBrand =>
  typeof answer === 'object' && answer !== null && 'name' in answer && typeof answer.name === 'string';
