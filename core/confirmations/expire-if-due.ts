import type { ConfirmationStore } from './confirmation-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import { isExpiryDue, type Confirmation } from './confirmation.ts';
import type { RequestContext } from '../events/event.ts';
import { confirmationEnded } from './confirmation-events.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type ExpiryDeps = { confirmations: ConfirmationStore; outbox: Outbox };

/**
 * Writes an expiry before anyone sees it. A computed status is not enough: an answer that was checked in time may still
 * be on its way to the table, and would change the status that a website has read. Costs one write in the life of a
 * confirmation that expires.
 *
 * @returns the current confirmation: expired, or decided by a concurrent answer
 */
export async function expireIfDue(
  { confirmations, outbox }: ExpiryDeps,
  confirmation: Confirmation,
  context: RequestContext,
): Promise<Confirmation> {
  if (!isExpiryDue(confirmation, context.now)) return confirmation;
  try {
    await retryOnConflict(
      async () =>
        await outbox.commit(
          [confirmations.transition(confirmation.challengeId, 'expire', context.now)],
          [confirmationEnded(confirmation, 'expire')],
          { now: context.now, origin: { traceId: context.origin.traceId } },
        ),
    );
    return { ...confirmation, status: 'expired' };
  } catch (error) {
    const current = error instanceof ConditionsFailed && error.refused.get(0);
    if (!current) throw error;
    return confirmations.parse(current);
  }
}
