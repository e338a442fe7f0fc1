import * as v from 'valibot';
import { externalId, format, iamRoleArn } from '../record-fields.ts';
import type { KindProperties } from '../kind-properties.ts';
import { targetNames } from '../target-names.ts';

export const busDestination = v.object({
  kind: v.literal('bus'),
  busArn: v.pipe(
    v.string(),
    v.regex(/^arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[a-zA-Z0-9/._-]{1,256}$/),
  ),
  /** The tenant's role that the service assumes. */
  roleArn: iamRoleArn,
  externalId,
  format,
});

export type BusDestination = v.InferOutput<typeof busDestination>;

/** A bus keeps no order, so more than one lane would have no use. The writer makes an entry of each event of a record. */
export const busProperties: KindProperties = {
  lineEnd: '',
  limits: { events: 100, bytes: 256 * 1024 },
  isOrdered: targetNames.bus.isOrdered,
  isBuffered: false,
  isSigned: false,
};
