import type { Option } from 'commander';
import type { TenantTarget } from '../../../core/export/kinds/policies/tenant-documents.ts';
import { isPlace, kinds, type Destination, type Kind } from '../../../core/export/kinds/records.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { type PolicyKind, targetKinds } from '../kinds.ts';
import type { PolicyOptions } from './options.ts';

type PolicyKinds = Partial<Record<Kind, { policies?: Pick<PolicyKind<never>, 'option' | 'input'> }>>;

/** Streams of signals have no commands. */
const commands: PolicyKinds = targetKinds;

const optionOf = (kind: Kind): Option | undefined => commands[kind]?.policies?.option();

export const targetOptions = (): Option[] => kinds.flatMap((kind) => optionOf(kind) ?? []);

/** The input for the policies. Options take precedence over the registered target. */
export async function inputOf(
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
