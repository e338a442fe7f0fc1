import * as v from 'valibot';
import { longestReceiverUrl } from '../../../outbound/receiver-url.ts';
import { lanes } from '../record-fields.ts';
import type { KindProperties } from '../kind-properties.ts';
import { targetNames } from '../target-names.ts';

/** Where the signals of a stream go (OpenID Shared Signals Framework 1.0, section 8.1.1). */
export const signalsDestination = v.object({
  kind: v.literal('signals'),
  streamId: v.pipe(v.string(), v.uuid()),
  /** `aud` of each signal. */
  audience: v.pipe(v.string(), v.nonEmpty()),
  /** The receiver of pushes. Without it, the receiver polls. */
  url: v.optional(v.pipe(v.string(), v.url(), v.maxLength(longestReceiverUrl))),
  /** `Authorization` of each push, sealed by the stack's key for secrets. */
  authorization: v.optional(v.string()),
  lanes,
});

export type SignalsDestination = v.InferOutput<typeof signalsDestination>;

/** A record has one event, of which one signal is made. */
export const signalsProperties = {
  lineEnd: '',
  limits: { events: 1, bytes: 256 * 1024 },
  isOrdered: targetNames.signals.isOrdered,
  isBuffered: false,
  isSigned: false,
} satisfies KindProperties;

/** The encryption context of the header. One that is copied to another stream cannot be opened. */
export const authorizationContext = (tenantId: string, streamId: string) => ({
  use: 'signals',
  tenantId,
  streamId,
});
