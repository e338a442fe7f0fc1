import type { Option } from 'commander';
import type { TenantTarget } from '../../core/export/kinds/policies/tenant-documents.ts';
import type { Kind, PlaceOf } from '../../core/export/kinds/records.ts';
import type { Register } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { bucketInput } from './policies/bucket-input.ts';
import type { PolicyOptions } from './policies/options.ts';
import { streamInput } from './policies/stream-input.ts';
import { bucketOption, setBucketCommand } from './set-bucket.ts';
import { busArnOption, busInput, setBusCommand } from './set-bus.ts';
import { setStreamCommand, streamArnOption } from './set-stream.ts';
import { setWebhookCommand } from './set-webhook.ts';

/** How a kind's policies are asked for: its option names the target, and has precedence over the registered one. */
export type PolicyKind<K extends Kind> = {
  option: () => Option;
  input: (
    deployment: Deployment,
    options: PolicyOptions,
    known: PlaceOf<K> | undefined,
  ) => Promise<TenantTarget>;
};

/** The commands of each kind. Streams of signals are made by their receivers. */
export const targetKinds: { [K in Exclude<Kind, 'signals'>]: { set: Register; policies?: PolicyKind<K> } } = {
  stream: {
    set: setStreamCommand,
    policies: {
      option: () => streamArnOption("the tenant's data stream").conflicts('bucket'),
      input: streamInput,
    },
  },
  bucket: { set: setBucketCommand, policies: { option: bucketOption, input: bucketInput } },
  webhook: { set: setWebhookCommand },
  bus: { set: setBusCommand, policies: { option: busArnOption, input: busInput } },
};
