import type { Account } from '../platform/index.ts';
import type { Effect } from './effects.ts';
import { keepChallenges } from './keep-challenges.ts';
import type { Message } from './messages.ts';
import type { Contact, State } from './state.ts';
import type { Update } from './effects.ts';

/** With the clock's tick of one second, an open app asks every 2 to 3 seconds. */
const pollIntervalMs = 2_000;
const longestPauseMs = 60_000;
/** A call that takes longer was forgotten by the browser, for example while the device slept. */
const longestFetchMs = 20_000;

type Named<Type extends Message['type']> = Extract<Message, { type: Type }>;

const fresh: Contact = { state: 'unknown', failures: 0, nextFetchAt: 0, notBefore: 0 };

const contactOf = (state: State, deviceId: string): Contact => state.contacts[deviceId] ?? fresh;

/** The contacts of these accounts, and of no others. */
export const contactsOf = (state: State, accounts: readonly Account[]): State['contacts'] =>
  Object.fromEntries(accounts.map(({ deviceId }) => [deviceId, contactOf(state, deviceId)]));

const withContact = (state: State, deviceId: string, contact: Contact): State => ({
  ...state,
  contacts: { ...state.contacts, [deviceId]: contact },
});

/** Fetches the challenges of all accounts whose time has come. A hidden page waits for a push. */
export const fetchDue = (state: State): Update =>
  state.visible
    ? fetchWhere(state, (contact) => contact.state !== 'removed' && contact.nextFetchAt <= state.now)
    : [state, []];

/** Fetches at once, because something happened: a push, the focus, a connection. It respects `Retry-After` alone. */
export const fetchAll = (state: State): Update => fetchWhere(state, () => true);

function fetchWhere(state: State, isWanted: (contact: Contact) => boolean): Update {
  const wanted = state.accounts.filter(({ deviceId }) => {
    const contact = contactOf(state, deviceId);
    const { fetchingSince = -Infinity, notBefore } = contact;
    return state.now - fetchingSince > longestFetchMs && notBefore <= state.now && isWanted(contact);
  });
  const fetching = wanted.reduce(
    (current, { deviceId }) =>
      withContact(current, deviceId, { ...contactOf(current, deviceId), fetchingSince: state.now }),
    state,
  );
  return [fetching, wanted.map((account): Effect => ({ type: 'fetch', account }))];
}

/** The service answered this device's call. */
export const reach = (state: State, { deviceId, push }: Pick<Named<'fetched'>, 'deviceId' | 'push'>): State =>
  withContact(state, deviceId, { ...fresh, state: 'reached', nextFetchAt: state.now + pollIntervalMs, push });

/** A push service that takes one subscription after the other for dead is not asked again and again. */
const replacementPauseMs = 60_000;

export const isPushPermitted = ({ push }: State): boolean =>
  push?.state === 'active' || push?.state === 'unreachable';

/** Replaces the subscription when the service says that pushes to it no longer arrive. */
export function repairPush([state, effects]: Update, { push }: Named<'fetched'>): Update {
  const { pushReplacedAt = -Infinity, now } = state;
  if (push !== 'unreachable' || !isPushPermitted(state) || now - pushReplacedAt < replacementPauseMs)
    return [state, effects];
  return [{ ...state, pushReplacedAt: now }, [...effects, { type: 'replace-push' }]];
}

/** The service no longer knows this device. */
export function markRemoved(state: State, deviceId: string): State {
  const marked = withContact(state, deviceId, { ...fresh, state: 'removed' });
  return keepChallenges(marked, (open) => open.deviceId !== deviceId);
}

/** The pause after so many failures in a row: doubled each time, up to a minute. */
const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, pollIntervalMs * 2 ** Math.min(failures, 10));

export function failFetch(state: State, { deviceId, failure }: Named<'fetch-failed'>): Update {
  if (!state.accounts.some((account) => account.deviceId === deviceId)) return [state, []];
  if (isRemoval(failure.code)) return [markRemoved(state, deviceId), []];
  const { state: before, failures, push } = contactOf(state, deviceId);
  const { retryAfter = 0, code } = failure;
  const contact: Contact = {
    state: code === 'clock-skew' ? before : 'unreachable',
    failures: failures + 1,
    nextFetchAt: state.now + pauseAfter(failures + 1),
    notBefore: state.now + retryAfter * 1_000,
    push,
  };
  return [withOffset(withContact(state, deviceId, contact), failure.serverTime), []];
}

/** What the service answers to a device that it does not know. */
export const isRemoval = (code: string): boolean =>
  code === 'invalid-signature' || code === 'device-not-found';

/** Keeps how far the service's clock is ahead, as a refusal told it. */
export function withOffset(state: State, serverTime: string | undefined): State {
  const time = Date.parse(serverTime ?? '');
  return Number.isNaN(time) ? state : { ...state, clockOffsetMs: time - state.now };
}
