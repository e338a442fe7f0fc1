import { TargetStore } from '../../core/adapters/target-store.ts';
import type { Category, Target, TargetRef } from '../../core/domain/target.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { Failure } from '../failure.ts';
import { type Catalogue, TargetCatalogue } from './target-catalogue.ts';

/** The options that name a target. */
export type TargetOptions = { tenant: string; category: Category };

export const refOf = ({ tenant, category }: TargetOptions): TargetRef => ({ tenantId: tenant, category });

export const targetStore = ({ clients, tables }: Deployment): TargetStore =>
  new TargetStore(clients.dynamodb, tables.tenants);

export const catalogueOf = ({ clients, tables }: Deployment): TargetCatalogue =>
  new TargetCatalogue(clients.dynamodb, tables.tenants);

export const targetsOf = async (deployment: Deployment, tenantId: string): Promise<Target[]> =>
  known(await catalogueOf(deployment).ofTenant(tenantId));

/** @throws {Failure} where somebody wrote an item by hand that makes no sense */
export function known({ targets, malformed }: Catalogue): Target[] {
  if (malformed.length === 0) return targets;
  throw new Failure(
    `These items of the tenants table make no sense: ${malformed.join(', ')}.`,
    'Correct or delete them by hand.',
  );
}

/** @throws {Failure} where there is none */
export async function requireTarget(deployment: Deployment, ref: TargetRef): Promise<Target> {
  const target = await targetStore(deployment).find(ref);
  if (target) return target;
  throw new Failure(
    `The tenant ${ref.tenantId} has no target for ${ref.category} events.`,
    'Make one with "omi target set".',
  );
}
