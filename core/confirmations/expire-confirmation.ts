import type { RequestContext } from '../events/event.ts';
import { answerAsTestUser, type TestAnswerDeps } from './answer-as-test-user.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { expireGroupIfDue } from './groups/end-group.ts';
import { seconds } from '../kernel/time.ts';

/** `retryAfter`, in seconds, is present where the confirmation must be looked at again. */
export type ExpiryOutcome =
  | { outcome: 'expired' | 'decided' | 'missing' | 'answered' }
  | { outcome: 'early' | 'failed'; retryAfter: number };

export type ExpireDeps = ExpiryDeps & TestAnswerDeps;

/** What expires, and the write of its expiry. */
type Expiring = {
  status: string;
  expiresAt: number;
  expire: () => Promise<{ status: string }>;
  /** Absent for a group. */
  answer?: () => Promise<boolean>;
};

/**
 * Records the expiry of a confirmation that nobody answered or polled, or of a group. The message of a confirmation of a test user comes at
 * once: the user then answers.
 */
export async function expireConfirmation(
  deps: ExpireDeps,
  id: string,
  traceId: string,
): Promise<ExpiryOutcome> {
  const now = Date.now();
  const found = await find(deps, id, { now, origin: { traceId } });
  if (!found) return { outcome: 'missing' };
  if (found.status !== 'pending') return { outcome: 'decided' };
  if (now < found.expiresAt && (await found.answer?.()) === true) return { outcome: 'answered' };
  if (now < found.expiresAt)
    return { outcome: 'early', retryAfter: Math.ceil((found.expiresAt - now) / seconds) };
  const { status } = await found.expire();
  return { outcome: status === 'expired' ? 'expired' : 'decided' };
}

/** One read, and another for a group. */
async function find(deps: ExpireDeps, id: string, context: RequestContext): Promise<Expiring | undefined> {
  const confirmation = await deps.confirmations.find(id, context.now);
  if (confirmation)
    return {
      ...confirmation,
      expire: async () => await expireIfDue(deps, confirmation, context),
      answer: async () => await answerAsTestUser(deps, confirmation, context),
    };
  const group = await deps.groups.find(id, context.now);
  return group && { ...group, expire: async () => await expireGroupIfDue(deps, group, context) };
}
