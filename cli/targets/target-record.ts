import type { Category, TargetRef, ExportRef } from '../../core/events/target-ref.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { MalformedTarget, TargetStore } from '../../core/export/targets/target-store.ts';
import { CommandError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { fields } from '../text-table.ts';
import { describeTarget, nameOf, targetView } from './describe-target.ts';

/** The ids that name a target. */
export type TargetOptions = { tenant: string; category: Category };

export const refOf = ({ tenant, category }: TargetOptions): ExportRef => ({ tenantId: tenant, category });

export const targetStoreOf = ({ clients, tables }: Deployment): TargetStore =>
  new TargetStore(clients.dynamodb, tables.tenants);

/** The target before it is registered again. That replaces a malformed record. */
export async function findBefore(
  deployment: Deployment,
  ref: TargetRef,
): Promise<Target | 'malformed' | undefined> {
  try {
    return await targetStoreOf(deployment).find(ref);
  } catch (error) {
    if (error instanceof MalformedTarget) return 'malformed';
    throw error;
  }
}

/** @throws {CommandError} if there is no such target */
export async function requireTarget(deployment: Deployment, ref: TargetRef): Promise<Target> {
  const target = await targetStoreOf(deployment).find(ref);
  if (target) return target;
  throw new CommandError(
    `The tenant ${ref.tenantId} has no target for ${ref.category} events.`,
    'Register one with "omi target set".',
  );
}

/** Prints the new secret of a webhook, which no command can show again. */
export async function printTargetWithSecret(
  session: Session,
  deployment: Deployment,
  target: Target,
  secret: string,
): Promise<void> {
  const [now, known] = [Date.now(), { tenantName: await nameOf(deployment, target) }];
  session.note('Save the secret now, and give it to the tenant. It cannot be shown again.');
  session.print(
    { ...targetView(target, now, known), secret },
    `${describeTarget(target, now, known)}\n\n${fields({ secret })}`,
  );
}
