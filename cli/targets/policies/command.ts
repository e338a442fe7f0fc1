import { Option } from 'commander';
import * as v from 'valibot';
import type { Category } from '../../../core/events/target-ref.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { defineCommand } from '../../command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../../ids.ts';
import { checkedOption, regionName } from '../../options.ts';
import type { Session } from '../../session.ts';
import { requireTenant } from '../../tenants/profile-store.ts';
import { bucketOwnerOption, keyOption } from '../set-bucket.ts';
import { externalIdOption, newExternalIdOption } from '../external-ids.ts';
import { targetStoreOf } from '../target-record.ts';
import type { PolicyOptions } from './options.ts';
import {
  type TenantTarget,
  tenantDocuments,
  type TenantDocuments,
} from '../../../core/export/kinds/policies/tenant-documents.ts';
import { isPlace, kinds, type Destination, type Kind } from '../../../core/export/kinds/records.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import { type PolicyKind, targetKinds } from '../kinds.ts';
import { cloudFormationOf } from './cloudformation.ts';
import { terraformOf } from './terraform.ts';

export const policyFormats = ['json', 'cloudformation', 'terraform'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

const renderers: Record<PolicyFormat, (documents: TenantDocuments) => string> = {
  json: jsonOf,
  cloudformation: (documents) => indented(cloudFormationOf(documents)),
  terraform: terraformOf,
};

/**
 * The policies that a tenant needs for its stream, bucket or event bus, as the text of a file.
 *
 * @throws {ValiError} for a name that would have another meaning in a policy
 */
export const renderPolicies = (input: TenantTarget, format: PolicyFormat): string =>
  renderers[format](tenantDocuments(input));

/** The documents, each under the name of its policy. */
function jsonOf(documents: TenantDocuments): string {
  const keyPolicy = documents.keyPolicy?.document;
  return 'bucket' in documents
    ? indented({ bucketPolicy: documents.bucketPolicy, keyPolicy })
    : indented({
        trustPolicy: documents.trustPolicy,
        permissionPolicy: documents.permissionPolicy,
        keyPolicy,
      });
}

const indented = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

type PolicyKinds = Partial<Record<Kind, { policies?: Pick<PolicyKind<never>, 'option' | 'input'> }>>;

/** Streams of signals have no commands. */
const commands: PolicyKinds = targetKinds;

const optionOf = (kind: Kind): Option | undefined => commands[kind]?.policies?.option();

const targetOptions = (): Option[] => kinds.flatMap((kind) => optionOf(kind) ?? []);

/** The input for the policies. Options take precedence over the registered target. */
async function inputOf(
  deployment: Deployment,
  options: PolicyOptions,
  destination: Destination | undefined,
): Promise<TenantTarget> {
  const registered = destination && isPlace(destination) ? destination.kind : undefined;
  const given: Readonly<Record<string, unknown>> = options;
  const asked = kinds.find((kind) => given[optionOf(kind)?.attributeName() ?? ''] !== undefined);
  const kind = asked ?? registered;
  if (!kind) throw new UsageError(noTarget());
  const of = commands[kind]?.policies;
  if (!of)
    throw new CommandError('A webhook needs no policies: the tenant verifies the calls with the secret.');
  return await of.input(deployment, options, (kind === registered ? destination : undefined) as undefined);
}

const noTarget = (): string => {
  const flags = targetOptions().map(({ long }) => long ?? '');
  return `Missing: the target. Pass the category of a registered target, ${flags.slice(0, -1).join(', ')} or ${flags.at(-1)}.`;
};

type Options = PolicyOptions & { category?: Category; format: PolicyFormat };

const roleName = v.pipe(v.string(), v.regex(/^[\w+=,.@-]{1,64}$/));

export const policiesCommand = defineCommand<Options>({
  name: 'policies',
  description:
    'Prints the policies that a tenant needs for its stream, bucket or event bus. With a category: for the registered target.',
  ids: [tenantId],
  optionalIds: [categoryId],
  options: [
    new Option('--format <format>', 'the format of the policies').choices([...policyFormats]).default('json'),
    ...targetOptions(),
    checkedOption(
      '--role-name <name>',
      "the name of the role in the tenant's account (default: omi-event-export)",
      roleName,
      { expected: '1 to 64 characters of A-Z a-z 0-9 _ + = , . @ -', example: 'omi-event-export' },
    ),
    externalIdOption("the tenant's random string (default: the target's current one)"),
    newExternalIdOption(),
    keyOption(),
    new Option(
      '--new-key',
      'the tenant has no key yet: prints the policies of a new key, in the account of the stream or bucket',
    ).conflicts('kmsKeyArn'),
    bucketOwnerOption('with --new-key: the account of the bucket'),
    checkedOption(
      '--bucket-region <region>',
      'with --new-key: the region of the bucket (default: the region of the deployment)',
      regionName,
      { expected: 'an AWS region', example: 'eu-central-1' },
    ),
  ],
  examples: [
    `target policies ${exampleTenant} public --format cloudformation`,
    `target policies ${exampleTenant} --stream-arn arn:aws:kinesis:eu-central-1:111122223333:stream/events --new-external-id`,
    `target policies ${exampleTenant} --bucket example-bank-audit --bucket-owner 111122223333 --new-key --format cloudformation`,
  ],
  run: printPolicies,
});

async function printPolicies(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const target = options.category && (await registered(deployment, options.tenant, options.category));
  const input = await inputOf(deployment, options, target?.destination);
  const text = renderPolicies(input, options.format);
  if ('externalId' in input && options.newExternalId)
    session.note(`The external id is new: register the target with --external-id ${input.externalId}`);
  // Inside of the JSON result, JSON policies are values and not strings.
  const policies: unknown = options.format === 'terraform' ? text : JSON.parse(text);
  session.print({ ...input, format: options.format, policies }, text);
}

const registered = async (
  deployment: Deployment,
  tenantId: string,
  category: Category,
): Promise<Target | undefined> => await targetStoreOf(deployment).find({ tenantId, category });
