import { type Challenge, readContext } from '#device';
import { without } from '#ui/without.ts';
import type { Account, HistoryEntry } from '../platform/index.ts';
import { reach } from './contacts.ts';
import type { Effect } from './effects.ts';
import type { Message } from './messages.ts';
import { accountOf, challengeOf, type EndedChallenge, type OpenChallenge, type State } from './state.ts';
import type { Update } from './effects.ts';

/** Deadlines of the same challenge differ a little from call to call. */
const jitterMs = 1_500;

/** The service's list replaces what was open on the device. What is gone has ended. */
export function mergeFetched(
  state: State,
  { deviceId, challenges, push }: Extract<Message, { type: 'fetched' }>,
): Update {
  const account = accountOf(state, deviceId);
  if (!account) return [state, []];
  // The list may be older than an answer that was sent meanwhile.
  const listed = challenges
    .filter(({ challengeId }) => state.ended[challengeId] === undefined)
    .map((challenge) => openChallenge(state, deviceId, challenge));
  const others = state.challenges.filter((open) => open.deviceId !== deviceId);
  const missing = state.challenges.filter(
    (open) => open.deviceId === deviceId && !listed.some((other) => isSame(open, other)),
  );
  const sending = missing.filter((open) => isSending(state, open));
  const merged: State = {
    ...reach(state, { deviceId, push }),
    challenges: [...others, ...sending, ...listed].toSorted(byDeadline),
    clockOffsetMs: offsetOf(challenges, state),
  };
  const gone = missing.filter((open) => !isSending(state, open));
  const [ended, effects] = endEach(merged, gone, (open) =>
    open.deadline - jitterMs <= state.now ? 'expired' : 'cancelled',
  );
  return [ended, [...namesOf(account, challenges), ...effects]];
}

function openChallenge(state: State, deviceId: string, challenge: Challenge): OpenChallenge {
  const before = challengeOf(state, challenge.challengeId);
  const context = readContext(challenge.context);
  const deadline = state.now + challenge.expiresInMs;
  // A countdown that jumps looks broken.
  if (before && Math.abs(before.deadline - deadline) < jitterMs)
    return { deviceId, challenge, context, deadline: before.deadline };
  return { deviceId, challenge, context, deadline };
}

/** The service says when a challenge expires, and how long that is from now. The difference is its clock. */
function offsetOf(challenges: readonly Challenge[], { clockOffsetMs, now }: State): number {
  const [challenge] = challenges;
  const serverTime = challenge ? Date.parse(challenge.expiresAt) - challenge.expiresInMs : NaN;
  return Number.isNaN(serverTime) ? clockOffsetMs : serverTime - now;
}

/** The registered name of the tenant, and the label of the user's account, may change. */
function namesOf({ deviceId, tenantName, label }: Account, challenges: readonly Challenge[]): Effect[] {
  const newest = challenges.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1);
  if (!newest || (newest.tenant === tenantName && newest.account === label)) return [];
  const { tenant, account } = newest;
  return [{ type: 'set-names', deviceId, names: { tenant, ...(account !== undefined && { account }) } }];
}

const isSame = (one: OpenChallenge, other: OpenChallenge): boolean =>
  one.challenge.challengeId === other.challenge.challengeId;

const isSending = ({ answering }: State, { challenge }: OpenChallenge): boolean =>
  answering?.challengeId === challenge.challengeId && answering.phase === 'sending';

const byDeadline = (one: OpenChallenge, other: OpenChallenge): number => one.deadline - other.deadline;

/** Ends what is past its deadline. The answer that is on its way decides for itself. */
export const expireDue = (state: State): Update =>
  endEach(
    state,
    state.challenges.filter((open) => open.deadline <= state.now && !isSending(state, open)),
    () => 'expired',
  );

function endEach(
  state: State,
  gone: readonly OpenChallenge[],
  outcomeOf: (open: OpenChallenge) => EndedChallenge['outcome'],
): Update {
  return gone.reduce<Update>(
    ([current, effects], open) => {
      const [ended, more] = endChallenge(current, open, outcomeOf(open));
      return [ended, [...effects, ...more]];
    },
    [state, []],
  );
}

/** Moves an open challenge to the ended ones, and records it in this device's history. */
export function endChallenge(state: State, open: OpenChallenge, outcome: EndedChallenge['outcome']): Update {
  const { challengeId } = open.challenge;
  const ended = withEnded(state, { ...open, outcome, elsewhere: false });
  if (outcome === 'mismatch') return [ended, [{ type: 'close-notification', challengeId }]];
  const verified = state.answering?.challengeId === challengeId && state.answering.verification !== undefined;
  const entry: HistoryEntry = {
    ...entryOf(open),
    outcome,
    at: state.now,
    ...(outcome === 'confirmed' && verified && { userVerified: true }),
  };
  return [
    ended,
    [
      { type: 'record', entry },
      { type: 'announce', challengeId, outcome },
      { type: 'close-notification', challengeId },
    ],
  ];
}

function withEnded(state: State, ended: EndedChallenge): State {
  const { challengeId } = ended.challenge;
  const isAnswering = state.answering?.challengeId === challengeId;
  return {
    ...(isAnswering ? without(state, 'answering') : state),
    challenges: state.challenges.filter(({ challenge }) => challenge.challengeId !== challengeId),
    ended: { ...state.ended, [challengeId]: ended },
  };
}

function entryOf({ deviceId, challenge, context }: OpenChallenge): Omit<HistoryEntry, 'outcome' | 'at'> {
  const { challengeId, message, details } = challenge;
  return {
    ...{ challengeId, deviceId, message },
    ...without(context, 'userVerification'),
    ...(details !== undefined && { details }),
  };
}

/** Another tab answered, and has recorded it. What this tab took for withdrawn was that answer. */
export function endByTab(
  state: State,
  { challengeId, outcome }: Extract<Message, { type: 'tab' }>['message'] & { type: 'answered' },
): Update {
  const before = state.ended[challengeId];
  if (before && before.outcome !== 'cancelled') return [state, []];
  const open = challengeOf(state, challengeId) ?? before;
  if (!open) return [state, []];
  // The other tab misses the challenge in the service's list because of the answer that is on its way here.
  const isAnswer = outcome !== 'cancelled' && outcome !== 'expired';
  if (!isAnswer && isSending(state, open)) return [state, []];
  return [withEnded(state, { ...open, outcome, elsewhere: true }), []];
}
