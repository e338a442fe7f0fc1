import * as v from 'valibot';
import { destination, type StreamDestination } from '../../core/export/targets/target.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/directory-of.ts';
import { ExternalIdStore, newExternalId } from './external-id-store.ts';
import { register } from './register.ts';
import { catalogueOf, destinationBefore, refOf, type TargetOptions } from './targets-store.ts';

export type ExternalIdOptions = { externalId?: string; newExternalId?: true };

type Options = TargetOptions &
  ExternalIdOptions & { streamArn: string; roleArn: string; lanes?: number; type?: string[] };

export async function setStream(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const { tenantId } = await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const externalId = await chooseExternalId(deployment, ref, options);
  if (!(await takeExternalId(deployment, externalId, tenantId)))
    throw new CommandError(
      'Another tenant uses this external id: with it, one could have events written to the other.',
      'Agree on another one with the tenant, or make one with --new-external-id.',
    );
  const { streamArn, roleArn, lanes, type } = options;
  const stream = v.parse(destination, { kind: 'stream', streamArn, roleArn, externalId, lanes });
  await register(session, deployment, ref, { destination: stream, types: type });
}

/** @returns false where another tenant has it, be it that its target was registered without these commands */
async function takeExternalId(
  deployment: Deployment,
  externalId: string,
  tenantId: string,
): Promise<boolean> {
  const { clients, tables } = deployment;
  const { targets } = await catalogueOf(deployment).all();
  const isAnothers = targets.some(
    ({ destination: known, ...target }) =>
      known.kind === 'stream' && known.externalId === externalId && target.tenantId !== tenantId,
  );
  return (
    !isAnothers && (await new ExternalIdStore(clients.dynamodb, tables.tenants).take(externalId, tenantId))
  );
}

/** The one that is said, a new one, or the one that the target has. */
export async function chooseExternalId(
  deployment: Deployment,
  ref: TargetRef,
  { externalId, newExternalId: isNew }: ExternalIdOptions,
): Promise<string> {
  if (isNew) return newExternalId();
  const given = externalId ?? (await streamOf(deployment, ref))?.externalId;
  if (given !== undefined) return given;
  throw new UsageError(
    "--external-id is missing: the tenant's random string; --new-external-id makes one for them.",
  );
}

async function streamOf(deployment: Deployment, ref: TargetRef): Promise<StreamDestination | undefined> {
  const before = await destinationBefore(deployment, ref);
  return before?.kind === 'stream' ? before : undefined;
}
