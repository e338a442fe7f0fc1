import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { seconds } from '../kernel/time.ts';

/** `retryAfter`, in seconds, is present where the confirmation must be looked at again. */
export type ExpiryOutcome =
  | { outcome: 'expired' | 'decided' | 'missing' }
  | { outcome: 'early' | 'failed'; retryAfter: number };

/** Records the expiry of a confirmation that nobody answered or polled. */
export async function expireConfirmation(
  deps: ExpiryDeps,
  challengeId: string,
  traceId: string,
): Promise<ExpiryOutcome> {
  const now = Date.now();
  const confirmation = await deps.confirmations.find(challengeId, now);
  if (!confirmation) return { outcome: 'missing' };
  if (confirmation.status !== 'pending') return { outcome: 'decided' };
  if (now < confirmation.expiresAt) {
    return { outcome: 'early', retryAfter: Math.ceil((confirmation.expiresAt - now) / seconds) };
  }
  const { status } = await expireIfDue(deps, confirmation, { now, origin: { traceId } });
  return { outcome: status === 'expired' ? 'expired' : 'decided' };
}
