import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { retainedUntil } from '../confirmations/confirmation.ts';
import type { GroupStore } from '../confirmations/groups/group-store.ts';
import type { CallResult, ReceiverCaller } from '../outbound/call-receiver.ts';
import type { EndedMessage } from './callback-message.ts';
import type { CallbackStore } from './callback-store.ts';
import type { CallComposer } from './compose-call.ts';
import type { Receiver, ReceiverKind } from './receiver.ts';
import { endOf, findSubject, type Subject } from './subject.ts';
import { describeFault, logger } from '../kernel/observability.ts';
import type { WaitingRef, WaitingStore } from './waiting-store.ts';

export type AttemptDeps = {
  confirmations: Pick<ConfirmationStore, 'find' | 'findAll' | 'forgetPing'>;
  groups: Pick<GroupStore, 'find'>;
  receivers: CallbackStore;
  waiting: WaitingStore;
  composer: CallComposer;
  caller: Pick<ReceiverCaller, 'call'>;
};

/** A callback with what is known of it. */
export type Callback = {
  message: EndedMessage;
  subject: Subject;
  receiver: Receiver;
  isSuspended: boolean;
  /** Milliseconds since the end of its subject. */
  ageMs: number;
};

/** Under which the callback waits. */
export const waitingRefOf = ({ message, subject, receiver: { clientId } }: Callback): WaitingRef => {
  const { kind, challengeId } = message;
  return { kind, clientId, challengeId, until: retainedUntil(subject) };
};

/** What became of an attempt; `unwanted` if there is nothing to send any more. */
export type AttemptResult = CallResult | 'unwanted';

/**
 * Two reads, and two more for a group. What was sealed for a ping is forgotten if nobody wants it any more.
 *
 * @returns undefined if the subject was forgotten, or the client or its receiver was removed
 */
export async function findCallback(
  deps: AttemptDeps,
  message: EndedMessage,
  now: number,
): Promise<Callback | undefined> {
  const { confirmations, receivers } = deps;
  const subject = await findSubject(deps, message.challengeId, now);
  if (!subject) return undefined;
  const found = await receivers.find(message.kind, subject.clientId);
  // A client that was registered again for another tenant gets nothing of the former one.
  if (found?.receiver.tenantId !== subject.tenantId) {
    if (message.kind === 'ping') await confirmations.forgetPing(message.challengeId);
    return undefined;
  }
  return { message, subject, ...found, ageMs: Math.max(0, now - endOf(subject)) };
}

/** Calls the receiver once, and records what that says of it. */
export async function attempt(deps: AttemptDeps, callback: Callback): Promise<AttemptResult> {
  const { composer, caller, receivers, confirmations } = deps;
  const { message, subject, receiver } = callback;
  const { kind, challengeId } = message;
  const content = await composer.compose(message, subject, receiver, Date.now());
  if (!content) return 'unwanted';
  const marked: Promise<void>[] = [];
  const result = await caller.call(receiver.url, content, () =>
    marked.push(markSlow(receivers, kind, receiver)),
  );
  await Promise.all(marked);
  if (result.succeeded && kind === 'ping') await confirmations.forgetPing(challengeId);
  await recordResult(receivers, callback, result);
  return result;
}

/** Best effort: without it, further calls hold up those of others for a little longer. */
async function markSlow(receivers: CallbackStore, kind: ReceiverKind, receiver: Receiver): Promise<void> {
  await receivers.slow(kind, receiver).catch((error: unknown) => {
    logger.warn('not marked as slow', { fault: describeFault(error) });
  });
}

async function recordResult(
  receivers: CallbackStore,
  { message: { kind }, receiver }: Callback,
  result: CallResult,
): Promise<void> {
  const now = Date.now();
  if (result.succeeded) {
    await receivers.answered(kind, receiver, result, now);
    return;
  }
  const { reason, demanded, isGone } = result;
  // Nobody can test the receiver of pings, so nothing would start it again.
  if (isGone && kind === 'callback') await receivers.stopped(kind, receiver, reason, now);
  else {
    const pausedUntil = demanded > 0 ? now + demanded : undefined;
    await receivers.failed(kind, receiver, { reason, pausedUntil }, now);
  }
}
