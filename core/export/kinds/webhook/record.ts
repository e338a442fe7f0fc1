import * as v from 'valibot';
import type { TargetRef } from '../../../events/target-ref.ts';
import { longestReceiverUrl } from '../../../outbound/receiver-url.ts';
import { format, lanes } from '../record-fields.ts';
import type { KindProperties } from '../kind-properties.ts';
import { targetNames } from '../target-names.ts';

export const webhookDestination = v.object({
  kind: v.literal('webhook'),
  /** The tenant's receiver. Each call checks again that it is on the public internet. */
  url: v.pipe(v.string(), v.url(), v.maxLength(longestReceiverUrl)),
  /** Each makes one call at a time. */
  lanes,
  format,
});

export type WebhookDestination = v.InferOutput<typeof webhookDestination>;

export const isWebhook = (given: { kind: string }): given is WebhookDestination => given.kind === 'webhook';

/** A record is the body of a call. */
export const webhookProperties = {
  lineEnd: '',
  limits: { events: 100, bytes: 256 * 1024 },
  isOrdered: targetNames.webhook.isOrdered,
  isBuffered: false,
  isSigned: true,
} satisfies KindProperties;

/** The encryption context of a webhook's secret. A secret that is copied to another target cannot be opened. */
export const webhookContext = ({ tenantId, category }: TargetRef) => ({ use: 'webhook', tenantId, category });
