import { Option } from 'commander';
import * as v from 'valibot';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { streamDestination } from '../../core/export/kinds/stream/record.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, numberOption, regionalArn, typeOption } from '../options.ts';
import { requireKnownTypes } from '../event-types.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/profile-store.ts';
import { catalogueStoreOf } from './catalogue-store.ts';
import { externalIdStoreOf, newExternalId } from './external-id-store.ts';
import { registerTarget } from './register-target.ts';
import { findBefore, refOf, type TargetOptions } from './target-record.ts';

const { entries: fields } = streamDestination;

const exampleStream = 'arn:aws:kinesis:eu-central-1:111122223333:stream/events';
const exampleRole = 'arn:aws:iam::111122223333:role/omi-event-export';
const exampleExternalId = 'k7Qm2xV9sLr4tWp8';

export const streamArnOption = (description: string) =>
  checkedOption('--stream-arn <arn>', description, regionalArn(fields.streamArn), {
    expected: 'the ARN of a Kinesis data stream',
    example: exampleStream,
  });

export const roleArnOption = (description: string) =>
  checkedOption('--role-arn <arn>', description, fields.roleArn, {
    expected: 'the ARN of a role',
    example: exampleRole,
  });

export const externalIdOption = (description: string) =>
  checkedOption('--external-id <text>', description, fields.externalId, {
    expected: '16 to 1224 characters of A-Z a-z 0-9 _ + = , . @ : / -',
    example: exampleExternalId,
  });

export const newExternalIdOption = () =>
  new Option('--new-external-id', 'make an external id for the tenant').conflicts('externalId');

export type ExternalIdOptions = { externalId?: string; newExternalId?: true };

type Options = TargetOptions &
  ExternalIdOptions & { streamArn: string; roleArn: string; lanes?: number; type?: string[] };

const exampleTarget = `${exampleTenant} public --stream-arn ${exampleStream} --role-arn ${exampleRole}`;

export const setStreamCommand = defineCommand<Options>({
  name: 'stream',
  description: 'Exports a category to a Kinesis data stream of the tenant.',
  ids: [tenantId, categoryId],
  options: [
    streamArnOption("the tenant's data stream").makeOptionMandatory(),
    roleArnOption("the role in the tenant's account that may write to the stream").makeOptionMandatory(),
    externalIdOption("the tenant's random string (default: the target's current one)"),
    newExternalIdOption(),
    numberOption('--lanes <count>', 'ordering lanes; each can fill a shard (default: 2)', {
      from: 1,
      to: 128,
      example: 2,
    }),
    typeOption('only events of these types (default: all)'),
  ],
  examples: [
    `target set stream ${exampleTarget} --external-id ${exampleExternalId}`,
    `target set stream ${exampleTarget} --new-external-id --type UserSignedInEvent`,
  ],
  run: setStream,
});

async function setStream(session: Session, options: Options): Promise<void> {
  requireKnownTypes(options);
  const deployment = await session.deployment();
  const { tenantId: tenant } = await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const externalId = await chooseExternalId(deployment, ref, options);
  if (!(await takeExternalId(deployment, externalId, tenant)))
    throw new CommandError(
      "Another tenant uses this external id. With the same id, a tenant could have events written to the other's stream.",
      'Agree on another external id with the tenant, or make one with --new-external-id.',
    );
  const { streamArn, roleArn, lanes, type } = options;
  const stream = v.parse(streamDestination, { kind: 'stream', streamArn, roleArn, externalId, lanes });
  await registerTarget(session, deployment, ref, { destination: stream, types: type });
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
  if (before === 'malformed' || before?.destination.kind !== 'stream') return undefined;
  return before.destination.externalId;
}

/** @returns false if another tenant has it, also if its target was registered without these commands */
async function takeExternalId(deployment: Deployment, externalId: string, tenant: string): Promise<boolean> {
  const { targets } = await catalogueStoreOf(deployment).all();
  const isUsed = targets.some(
    ({ destination: known, ...target }) =>
      known.kind === 'stream' && known.externalId === externalId && target.tenantId !== tenant,
  );
  return !isUsed && (await externalIdStoreOf(deployment).take(externalId, tenant));
}
