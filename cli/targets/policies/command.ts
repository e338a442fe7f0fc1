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
import { inputOf, targetOptions } from './input.ts';
import type { PolicyOptions } from './options.ts';
import { policyFormats, type PolicyFormat, renderPolicies } from './render.ts';

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
