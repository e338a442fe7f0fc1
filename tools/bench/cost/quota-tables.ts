import { formatNumber, formatPercent } from '../report/markdown.ts';
import { accountQuotas } from './account-quotas.ts';
import type { Assumptions } from './assumptions.ts';
import type { Row } from './confirmation-tables.ts';
import { demand } from './load.ts';
import { costOf, type Region } from './prices.ts';
import type { Load, Quota } from './quota.ts';
import { tenantLimits, tenantQuotas, websiteProcesses } from './tenant-quotas.ts';

/** AWS's default quotas, and limits of our own, that a load may reach. */
export const quotas = (region: Region, assumed: Assumptions): Quota[] => [
  ...accountQuotas(region, assumed),
  ...tenantQuotas(),
];

/** A full quota is printed bold. */
function percent(share: number): string {
  const text = formatPercent(share);
  return share >= 1 ? `**${text}**` : text;
}

export const loads: Record<string, Load> = {
  '10/s': { confirmationsPerSecond: 10, tenants: 100 },
  '1,000/s': { confirmationsPerSecond: 1_000, tenants: 100 },
  '100,000/s': { confirmationsPerSecond: 100_000, tenants: 100 },
  '1,000/s of 10,000 tenants': { confirmationsPerSecond: 1_000, tenants: 10_000 },
};

type Use = { quota: Quota; share: number };

/** The quotas of a load, the fullest first. */
function usesOf(load: Load, assumed: Assumptions, region: Region): Use[] {
  const each = demand(assumed);
  return quotas(region, assumed)
    .map((quota) => ({ quota, share: quota.needed(load, each) / quota.limit }))
    .toSorted((a, b) => b.share - a.share);
}

/** How full each quota is at each load. */
export function byLoad(assumed: Assumptions, region: Region): Row[] {
  const each = demand(assumed);
  const shareAt = (quota: Quota, load: Load): number => quota.needed(load, each) / quota.limit;
  return quotas(region, assumed).map((quota) => ({
    quota: `${quota.name}${quota.verified ? '' : ' (?)'}`,
    default: `${formatNumber(quota.limit)} ${quota.unit}`,
    ...Object.fromEntries(Object.entries(loads).map(([name, load]) => [name, percent(shareAt(quota, load))])),
  }));
}

/** The quotas that each load exceeds, the fullest first, and what to do before. */
export const firstReached = (assumed: Assumptions, region: Region): string[] =>
  Object.entries(loads).flatMap(([name, load]) => {
    const [next, ...others] = usesOf(load, assumed, region);
    if (!next) return [];
    if (next.share < 1)
      return [`${name}: none. The next is "${next.quota.name}", ${formatNumber(next.share * 100)} % full.`];
    return [next, ...others.filter(({ share }) => share >= 1)].map(
      ({ quota, share }) =>
        `${name}: "${quota.name}", ${formatNumber(share)} times its default is needed. ${quota.remedy}`,
    );
  });

export const ofOneTenant = (assumed: Assumptions, region: Region): string[] =>
  tenantLimits(region, demand(assumed)).map(
    ({ name, limit, remedy }) => `${name}: ${formatNumber(limit)} confirmations/s. ${remedy}`,
  );

const hoursOfAMonth = 720;

/** USD per month of a client of the user pool. */
export const clientMonth = (region: Region): string =>
  (
    costOf('cognitoClients', 1, region) + costOf('cognitoTokens', hoursOfAMonth * websiteProcesses, region)
  ).toFixed(2);

export const sources = (assumed: Assumptions, region: Region): string[] => [
  ...new Set(
    quotas(region, assumed).map(({ source }) =>
      source.startsWith('http') ? `<${source}>` : `\`${source}\``,
    ),
  ),
];
