import type { Option } from 'commander';
import {
  isPlace,
  kinds,
  type Destination,
  type Kind,
  type PlaceOf,
} from '../../../core/export/kinds/records.ts';
import type { TenantTarget } from '../../../core/export/kinds/policies/tenant-documents.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { bucketOption } from '../set-bucket.ts';
import { streamArnOption } from '../set-stream.ts';
import { bucketInput } from './bucket-input.ts';
import { noTarget, type PolicyOptions } from './options.ts';
import { streamInput } from './stream-input.ts';

/** How a kind's policies are asked for: its option names the target, and has precedence over the registered one. */
type PolicyKind<K extends Kind> = {
  member: keyof PolicyOptions;
  option: () => Option;
  input: (
    deployment: Deployment,
    options: PolicyOptions,
    known: PlaceOf<K> | undefined,
  ) => Promise<TenantTarget>;
};

const policyKinds: { [K in Kind]?: PolicyKind<K> } = {
  stream: {
    member: 'streamArn',
    option: () => streamArnOption("the tenant's data stream").conflicts('bucket'),
    input: streamInput,
  },
  bucket: { member: 'bucket', option: bucketOption, input: bucketInput },
};

export const targetOptions = (): Option[] => Object.values(policyKinds).map(({ option }) => option());

/** The input for the policies. Options take precedence over the registered target. */
export async function inputOf(
  deployment: Deployment,
  options: PolicyOptions,
  destination: Destination | undefined,
): Promise<TenantTarget> {
  const registered = destination && isPlace(destination) ? destination.kind : undefined;
  const asked = kinds.find((kind) => policyKinds[kind] && options[policyKinds[kind].member] !== undefined);
  const kind = asked ?? registered;
  if (!kind) throw new UsageError(noTarget);
  const of: Pick<PolicyKind<never>, 'input'> | undefined = policyKinds[kind];
  if (!of)
    throw new CommandError('A webhook needs no policies: the tenant verifies the calls with the secret.');
  return await of.input(deployment, options, (kind === registered ? destination : undefined) as undefined);
}
