import { MalformedTarget, TargetStore } from '../../core/export/targets/target-store.ts';
import type { Destination, Target } from '../../core/export/targets/target.ts';
import type { Category, TargetRef } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../command-error.ts';
import { type Catalogue, TargetCatalogue } from './target-catalogue.ts';

/** The options that name a target. */
export type TargetOptions = { tenant: string; category: Category };

export const refOf = ({ tenant, category }: TargetOptions): TargetRef => ({ tenantId: tenant, category });

export const targetStore = ({ clients, tables }: Deployment): TargetStore =>
  new TargetStore(clients.dynamodb, tables.tenants);

export const catalogueOf = ({ clients, tables }: Deployment): TargetCatalogue =>
  new TargetCatalogue(clients.dynamodb, tables.tenants);

/**
 * For the end of a command that has shown the others.
 *
 * @throws {CommandError} where somebody wrote an item by hand that makes no sense
 */
export function requireWellFormed({ malformed }: Catalogue): void {
  if (malformed.length === 0) return;
  throw new CommandError(
    `These items of the tenants table make no sense: ${malformed.join(', ')}.`,
    'Correct them by hand, or register the targets again with "omi target set".',
  );
}

/** What is there before a target is registered. An item that makes no sense tells nothing, and is replaced. */
export async function findBefore(
  deployment: Deployment,
  ref: TargetRef,
): Promise<Target | 'malformed' | undefined> {
  try {
    return await targetStore(deployment).find(ref);
  } catch (error) {
    if (error instanceof MalformedTarget) return 'malformed';
    throw error;
  }
}

/** Where that is. */
export async function destinationBefore(
  deployment: Deployment,
  ref: TargetRef,
): Promise<Destination | undefined> {
  const before = await findBefore(deployment, ref);
  return before === 'malformed' ? undefined : before?.destination;
}

/** @throws {CommandError} where there is none */
export async function requireTarget(deployment: Deployment, ref: TargetRef): Promise<Target> {
  const target = await targetStore(deployment).find(ref);
  if (target) return target;
  throw new CommandError(
    `The tenant ${ref.tenantId} has no target for ${ref.category} events.`,
    'Make one with "omi target set".',
  );
}
