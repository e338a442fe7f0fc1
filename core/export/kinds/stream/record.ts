import * as v from 'valibot';
import { externalId, iamRoleArn, lanes } from '../record-fields.ts';
import type { KindProperties } from '../kind-properties.ts';
import { targetNames } from '../target-names.ts';

export const streamDestination = v.object({
  kind: v.literal('stream'),
  streamArn: v.pipe(
    v.string(),
    v.regex(/^arn:aws[a-z-]*:kinesis:[a-z0-9-]+:\d{12}:stream\/[a-zA-Z0-9_.-]{1,128}$/),
  ),
  /** The tenant's role that the service assumes. */
  roleArn: iamRoleArn,
  externalId,
  /** Each can fill a shard (1 MB/s), and costs half a billed unit a batch on average. */
  lanes,
});

export type StreamDestination = v.InferOutput<typeof streamDestination>;

export const streamProperties: KindProperties = {
  lineEnd: '',
  isOrdered: targetNames.stream.isOrdered,
  isBuffered: false,
  isSigned: false,
};
