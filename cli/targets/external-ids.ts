/** The role of a tenant that the service assumes, and the external id by which it does so. */
import { Option } from 'commander';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { externalId as externalIdSchema, iamRoleArn } from '../../core/export/kinds/record-fields.ts';
import type { Destination } from '../../core/export/kinds/records.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { checkedOption } from '../options.ts';
import { catalogueStoreOf } from './catalogue-store.ts';
import { externalIdStoreOf, newExternalId } from './external-id-store.ts';
import { findBefore } from './target-record.ts';

export const exampleRole = 'arn:aws:iam::111122223333:role/omi-event-export';
export const exampleExternalId = 'k7Qm2xV9sLr4tWp8';

export const roleArnOption = (description: string) =>
  checkedOption('--role-arn <arn>', description, iamRoleArn, {
    expected: 'the ARN of a role',
    example: exampleRole,
  });

export const externalIdOption = (description: string) =>
  checkedOption('--external-id <text>', description, externalIdSchema, {
    expected: '16 to 1224 characters of A-Z a-z 0-9 _ + = , . @ : / -',
    example: exampleExternalId,
  });

export const newExternalIdOption = () =>
  new Option('--new-external-id', 'make an external id for the tenant').conflicts('externalId');

export type ExternalIdOptions = { externalId?: string; newExternalId?: true };

export const externalIdOf = (destination: Destination): string | undefined =>
  'externalId' in destination ? destination.externalId : undefined;

/**
 * The external id for the target, which now belongs to its tenant.
 *
 * @throws {CommandError} if another tenant has it
 */
export async function requireExternalId(
  deployment: Deployment,
  ref: TargetRef,
  options: ExternalIdOptions,
): Promise<string> {
  const externalId = await chooseExternalId(deployment, ref, options);
  if (await takeExternalId(deployment, externalId, ref.tenantId)) return externalId;
  throw new CommandError(
    "Another tenant uses this external id. With the same id, a tenant could have events sent to the other's destination.",
    'Agree on another external id with the tenant, or make one with --new-external-id.',
  );
}

/** The given external id, a new one, or that of the registered target. */
async function chooseExternalId(
  deployment: Deployment,
  ref: TargetRef,
  { externalId, newExternalId: isNew }: ExternalIdOptions,
): Promise<string> {
  if (isNew) return newExternalId();
  const chosen = externalId ?? (await registeredExternalId(deployment, ref));
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    "Missing: --external-id, the tenant's random string. --new-external-id makes one for the tenant.",
  );
}

async function registeredExternalId(deployment: Deployment, ref: TargetRef): Promise<string | undefined> {
  const before = await findBefore(deployment, ref);
  const destination = before === 'malformed' ? undefined : before?.destination;
  return destination && externalIdOf(destination);
}

/** @returns false if another tenant has it, also if its target was registered without these commands */
async function takeExternalId(deployment: Deployment, externalId: string, tenant: string): Promise<boolean> {
  const { targets } = await catalogueStoreOf(deployment).all();
  const isUsed = targets.some(
    ({ destination: known, ...target }) => externalIdOf(known) === externalId && target.tenantId !== tenant,
  );
  return !isUsed && (await externalIdStoreOf(deployment).take(externalId, tenant));
}
