import { digestOf } from '../../evidence/src/bytes.ts';
import { EvidenceError } from '../../evidence/src/evidence-error.ts';
import { recordOf } from '../../evidence/src/audit/kept-record.ts';
import { prove } from '../../evidence/src/prove.ts';
import type { Evidence, KnownContext, Trust } from '../../evidence/src/types.ts';
import type { Event } from './event.ts';

/** What is known of the question. Without message, details and nonce, the event's own hashes are compared. */
export type KnownQuestion = KnownContext & {
  message?: string | undefined;
  details?: readonly object[] | undefined;
  nonce?: string | undefined;
  userId?: string | undefined;
  tenantId?: string | undefined;
  /** Thumbprints of the user's keys. */
  knownKeys?: readonly string[] | undefined;
};

/**
 * Verifies the evidence in a `PushNotificationConfirmedEvent` or `PushNotificationDeniedEvent`, as tenants with the setting
 * `evidenceInEvents` get them: that the user's device signed this decision, and that the service vouches for the device's key.
 *
 * @throws {EvidenceError} with the check that failed as its `code`
 */
export async function verifyEvidence(event: Event, known: KnownQuestion & Trust): Promise<Evidence> {
  const record = recordOf(event);
  if (!record) throw new EvidenceError('status');
  const { message, details, nonce, ...others } = known;
  const { kept, tenantId } = record;
  const textAt = (name: string): string => String(kept[name]);
  const { claims } = await prove(record, {
    ...others,
    claims: {
      challengeId: nonce === undefined ? textAt('challengeId') : await digestOf(`${tenantId}\n${nonce}`),
      messageHash: message === undefined ? textAt('messageHash') : await digestOf(message),
      detailsHash: details ? await digestOf(JSON.stringify(details)) : hashIn(kept['detailsHash'], message),
    },
  });
  return claims;
}

/** A message without details means that the question had no details. */
const hashIn = (hash: unknown, message: string | undefined): string | undefined =>
  typeof hash === 'string' && message === undefined ? hash : undefined;
