/** The policies for a tenant's stream, made from what was agreed. */
import * as v from 'valibot';
import type { Target } from '../../targets/target.ts';
import { parseArn } from '../policies/arn.ts';
import { isOneKey, keyPolicy, oneKey } from '../policies/key-documents.ts';
import type { Operator } from '../policies/operator-roles.ts';
import { kmsKeyArn } from '../record-fields.ts';
import {
  agreedRole,
  isOneAccount,
  oneAccount,
  roleDocuments,
  roleFields,
  type RoleDocuments,
} from '../role/role-documents.ts';
import { streamDestination, type StreamDestination } from './record.ts';
import { streamKeyGrant, streamKeyUse, streamWriting } from './stream-policies.ts';

export const streamTarget = v.pipe(
  v.strictObject({
    kind: v.literal('stream'),
    streamArn: streamDestination.entries.streamArn,
    ...roleFields,
    /** A key of the tenant's own; without it AWS's key encrypts the records. */
    kmsKeyArn: v.optional(kmsKeyArn),
    /** The key does not exist yet. It will be in the account and region of the stream. */
    newKey: v.optional(v.literal(true)),
  }),
  v.check((of) => isOneKey(of), oneKey),
  v.check((of) => isOneAccount(of), oneAccount),
  v.check(
    ({ streamArn, kmsKeyArn: key }) =>
      key === undefined || parseArn(key).region === parseArn(streamArn).region,
    'expected a key in the region of the stream',
  ),
);

/** @throws {v.ValiError} */
export function streamDocuments(input: v.InferInput<typeof streamTarget>): RoleDocuments {
  const of = v.parse(streamTarget, input);
  const { streamArn } = of;
  const { region, partition, account } = parseArn(streamArn);
  const roleArn = `arn:${partition}:iam::${account}:role/${of.roleName}`;
  // A role can use a key of its own account by the key's policy alone, so a new key needs no ARN here.
  const keyUse = of.kmsKeyArn ? [streamKeyUse({ keyArn: of.kmsKeyArn, streamArn, region })] : [];
  const key = of.newKey ? { partition, account } : of.kmsKeyArn;
  return {
    ...roleDocuments(of, streamWriting(streamArn), ...keyUse),
    ...(key && { keyPolicy: keyPolicy(key, streamKeyGrant({ roleArn, streamArn, region })) }),
  };
}

export const agreedStream = (
  { destination }: Target & { destination: StreamDestination },
  operator: Operator,
) => ({
  kind: destination.kind,
  streamArn: destination.streamArn,
  ...agreedRole(destination, operator),
});
