import type { TargetRef } from '../../events/target-ref.ts';
import { logger } from '../../kernel/observability.ts';
import { isPlace } from '../kinds/records.ts';
import type { Target } from '../targets/target.ts';
import type { ContactStore } from './contact-store.ts';
import { factsOf } from './notice.ts';
import type { Notices, NoticeStore } from './notice-store.ts';
import { sendNotice, type SendDeps } from './send-notice.ts';
import { afterFailure, claimed, duePhase, isDue, observed, taken, type PendingNotice } from './trouble.ts';

export type TellDeps = SendDeps & {
  notices: Pick<NoticeStore, 'change'>;
  contacts: Pick<ContactStore, 'find'>;
  /** Registered name of a tenant. */
  nameOf: (tenantId: string) => Promise<string | undefined>;
  /** The page on which tenants see their exports. Missing if the stage has none. */
  page: string | undefined;
  /** How long a trouble lasts before it is told. */
  patienceMs: number;
};

/** What is to be done for a target now, and what its record says afterwards. */
type Decision = Omit<Notices, 'version'> & { send?: PendingNotice };

/**
 * Tells a target's tenant and the operator of a trouble that began, lasts or ended, if that is due. A notice is claimed before it is
 * sent, so that of several callers one sends it, and is sent again for an hour until it has arrived.
 *
 * @param target nothing for one that is no longer exported: nobody is told of its end
 */
export async function tellOfTarget(
  deps: TellDeps,
  { tenantId, category }: TargetRef,
  target: Target | undefined,
  now: number,
): Promise<void> {
  const exported = target && isPlace(target.destination) ? target : undefined;
  const decision = await deps.notices.change(tenantId, (before) =>
    decide(before, category, exported, { now, patienceMs: deps.patienceMs }),
  );
  if (!decision?.send || !exported) return;
  const { id, phase, claimedAt } = decision.send;
  const [contact, name] = await Promise.all([deps.contacts.find(tenantId), deps.nameOf(tenantId)]);
  const notice = {
    ...{ id, phase, at: claimedAt },
    tenant: { id: tenantId, name: name ?? tenantId },
    target: factsOf(exported, now),
    page: deps.page,
  };
  const fault = await sendNotice(deps, notice, contact);
  logger.info('notice', { tenantId, category, phase, succeeded: fault === undefined });
  await deps.notices.change(tenantId, (before) => noted(before, category, { id, fault, now }));
}

function decide(
  { targets }: Notices,
  category: TargetRef['category'],
  target: Target | undefined,
  { now, patienceMs }: { now: number; patienceMs: number },
): Decision | undefined {
  const { [category]: known, ...others } = targets;
  if (!target) return known && { targets: others };
  const before = observed(known ?? {}, target, now);
  const phase = target.state === 'paused' ? undefined : duePhase(before, now, patienceMs);
  if (phase) {
    const after = claimed(before, phase, now);
    return { targets: { ...targets, [category]: after }, send: after.pending };
  }
  if (!before.pending || !isDue(before.pending, now))
    return before.since === known?.since ? undefined : { targets: { ...targets, [category]: before } };
  const pending = taken(before.pending, now);
  return { targets: { ...targets, [category]: { ...before, pending } }, send: pending };
}

/** Another notice may have taken its place meanwhile. */
function noted(
  { targets }: Notices,
  category: TargetRef['category'],
  { id, fault, now }: { id: string; fault: string | undefined; now: number },
): Omit<Notices, 'version'> | undefined {
  const { pending, ...rest } = targets[category] ?? {};
  if (pending?.id !== id) return undefined;
  const after = fault === undefined ? rest : { ...rest, pending: afterFailure(pending, fault, now) };
  return { targets: { ...targets, [category]: after } };
}
