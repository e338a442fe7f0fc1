import type { Update } from './effects.ts';
import type { Effect } from './effects.ts';
import type { Message } from './messages.ts';
import type { Renaming, State } from './state.ts';
import { updateAnswering } from './answering.ts';
import { endByTab, expireDue, mergeFetched } from './challenges.ts';
import { contactsOf, failFetch, fetchAll, fetchDue, isPushPermitted, repairPush } from './contacts.ts';
import { isUnderWay, makeWay, updateEnrolling } from './enrolling.ts';
import { keepChallenges } from './keep-challenges.ts';
import { updateRemoving } from './removing.ts';
import { updateRenaming } from './renaming.ts';

/**
 * The next state, and the effects to run. It is pure: the same state, message and time give the same result.
 *
 * @param now milliseconds since 1970
 */
export function update(before: State, message: Message, now: number): Update {
  const state = { ...before, now };
  switch (message.type) {
    case 'started':
      return start(state, message);
    case 'broken':
      return [{ ...state, phase: 'broken' }, []];
    case 'configured':
    case 'unconfigured':
    case 'link':
    case 'entry-chosen':
    case 'scanned':
    case 'previewed':
    case 'preview-failed':
    case 'install-skipped':
    case 'install-chosen':
    case 'typed':
    case 'named':
    case 'begun':
    case 'push-skipped':
    case 'passkey-chosen':
    case 'passkey-skipped':
    case 'passkey-made':
    case 'enrolled':
    case 'enrol-failed':
    case 'enrol-retried':
    case 'enrol-left':
      return updateEnrolling(state, message);
    case 'push-chosen':
      return [{ ...state, asksForPush: true }, [{ type: 'enable-push' }]];
    case 'push-health':
      return updateEnrolling({ ...state, push: message.health, asksForPush: false }, message);
    case 'install-state':
      return [{ ...state, install: message.install }, []];
    case 'ticked':
      return tick(state);
    case 'woken':
      return fetchAll(state);
    case 'visibility':
      return changeVisibility(state, message.visible);
    case 'network':
      return changeNetwork(state, message.online);
    case 'tab':
      return readTab(state, message.message);
    case 'routed':
      return changeRoute(state, message.route);
    case 'accounts':
      return changeAccounts(state, message);
    case 'branded':
      return [{ ...state, brands: { ...state.brands, [message.tenantId]: message.brand } }, []];
    case 'history':
      return [{ ...state, history: message.entries }, []];
    case 'update-ready':
      return [{ ...state, updateReady: true }, []];
    case 'update-chosen':
      return [state, [{ type: 'apply-update' }]];
    case 'fetched':
      return makeWay(repairPush(mergeFetched(state, message), message));
    case 'fetch-failed':
      return failFetch(state, message);
    case 'decided':
    case 'verified':
    case 'answered':
    case 'answer-failed':
      return updateAnswering(state, message);
    case 'rename-typed':
    case 'rename-chosen':
    case 'renamed':
    case 'rename-failed':
      return updateRenaming(state, message);
    case 'removal-chosen':
    case 'removed':
    case 'removal-failed':
    case 'lost-read':
      return updateRemoving(state, message);
  }
}

type Named<Type extends Message['type']> = Extract<Message, { type: Type }>;

function start(state: State, message: Named<'started'>): Update {
  const { accounts, lost, hasPasskeys, install, permission, online, pending } = message;
  const contacts = contactsOf(state, accounts);
  const started: State = {
    ...state,
    phase: 'ready',
    accounts,
    lost,
    hasPasskeys,
    install,
    online,
    contacts,
    ...(permission !== 'granted' && { push: { state: 'off', permission } }),
    ...(pending &&
      !state.enrolling && { enrolling: { step: { at: 'name' }, pending, preview: pending.preview } }),
  };
  const [fetching, effects] = fetchAll(started);
  const refresh: Effect[] = [{ type: 'refresh-push' }];
  return [fetching, [...effects, ...refresh, { type: 'load-history' }, ...brandEffects(accounts)]];
}

/** The browser keeps an answer as long as the service allows, so this costs little. */
const brandEffects = (accounts: State['accounts']): Effect[] =>
  [...new Set(accounts.map(({ tenantId }) => tenantId))].map((tenantId) => ({
    type: 'load-brand',
    tenantId,
  }));

function tick(state: State): Update {
  const [expired, effects] = expireDue(state);
  const [fetching, fetches] = fetchDue(expired);
  return [fetching, [...effects, ...fetches]];
}

function changeVisibility(state: State, visible: boolean): Update {
  const changed = { ...state, visible };
  if (!visible) return [changed, []];
  const [fetching, effects] = fetchAll(changed);
  // An installed app may stay open for days, in which the service can get another key.
  const refresh: Effect[] = isPushPermitted(state) ? [{ type: 'refresh-push' }] : [];
  return [fetching, [...effects, ...refresh, ...brandEffects(state.accounts)]];
}

function changeNetwork(state: State, online: boolean): Update {
  const changed = { ...state, online };
  if (!online) return [changed, []];
  const [fetching, effects] = fetchAll(changed);
  const isUnknown = state.baseUrl === undefined;
  return [fetching, [...effects, ...(isUnknown ? [{ type: 'load-config' } as const] : [])]];
}

function readTab(state: State, message: Named<'tab'>['message']): Update {
  if (message.type === 'answered') return endByTab(state, message);
  const [fetching, effects] = fetchAll(state);
  if (message.type === 'pushed') return [fetching, effects];
  const { challengeId } = message;
  const route =
    challengeId === undefined ? { screen: 'home' as const } : { screen: 'challenge' as const, challengeId };
  return [fetching, [...effects, { type: 'navigate', route }]];
}

/** A name that is being sent, or whose typing a request came between. */
const isKeptBy = (from: State['route'], to: State['route'], { phase }: Renaming): boolean =>
  phase === 'working' || (phase === 'typing' && (from.screen !== 'rename' || to.screen === 'challenge'));

/** A problem or a choice that was not sent does not survive leaving the challenge. */
function changeRoute(state: State, route: State['route']): Update {
  const { answering, renaming, removal, enrolling, ...others } = state;
  const isSame = route.screen === 'challenge' && answering?.challengeId === route.challengeId;
  const isKept = answering && (isSame || answering.phase !== 'idle');
  const left: State = {
    ...others,
    route,
    ...(isKept && { answering }),
    ...(enrolling && (route.screen === 'enrol' || isUnderWay(enrolling)) && { enrolling }),
    ...(renaming && isKeptBy(state.route, route, renaming) && { renaming }),
    ...(removal?.phase === 'working' && { removal }),
  };
  if (route.screen === 'history') return [left, [{ type: 'load-history' }]];
  if (route.screen === 'challenge') return fetchAll(left);
  return [left, []];
}

/** Accounts change by an enrolment or a removal, also in another tab. */
function changeAccounts(state: State, { accounts, lost }: Named<'accounts'>): Update {
  const known = new Set(accounts.map(({ deviceId }) => deviceId));
  const kept = keepChallenges(state, ({ deviceId }) => known.has(deviceId));
  const [fetching, effects] = fetchDue({ ...kept, accounts, lost, contacts: contactsOf(state, accounts) });
  return [fetching, [...effects, ...brandEffects(accounts)]];
}
