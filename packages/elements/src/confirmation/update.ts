import type { Refusal } from '../http/exchange.ts';
import type { Effect, Message, Pending, Problem, State, Step } from './state.ts';

/** A state and what follows from it. */
export type Update = readonly [State, readonly Effect[]];

/** A result that is this much late is not waited for any longer. */
const GRACE_MS = 30_000;

/** How often the server is asked again while it does not answer. */
const LOST_INTERVAL_MS = 3_000;

/**
 * The next state, and the effects to run. It is pure: the same state, message and time give the same result. A message that
 * does not fit the state changes nothing.
 *
 * @param now milliseconds of a clock that nobody sets
 */
export function update(state: State, message: Message, now: number): Update {
  switch (message.type) {
    case 'opened':
      return open(state, message.deviceId);
    case 'devices':
      return takeDevices(state, message.devices);
    case 'chosen':
      return isQuiet(state.step) ? [{ ...state, deviceId: message.deviceId }, []] : [state, []];
    case 'started':
      return start(state, now);
    case 'sent':
      return takeSent(state, message, now);
    case 'not-sent':
      return message.run === state.run && state.step.at === 'sending'
        ? stop(state, problemOf(message.refusal, now))
        : [state, []];
    case 'polled':
      return takePolled(state, message, now);
    case 'refused':
      return takeRefusal(state, message.what, message.refusal, now);
    case 'cancelled':
      return cancel(state);
    case 'withdrawn':
      return state.step.at === 'pending' && state.step.asked.id === message.id
        ? end(state, state.step, { status: 'cancelled', reason: 'withdrawn' })
        : [state, []];
    case 'left':
      return [state, state.step.at === 'pending' ? [withdrawal(state.step, true)] : []];
    case 'returned':
      return comeBack(state);
    case 'form-changed':
      return stop(state, { code: 'form-changed', status: 0 });
    case 'reset':
      return reset(state);
  }
}

const at = (state: State, step: Step, ...effects: Effect[]): Update => [{ ...state, step }, effects];

/** True if nothing is under way, so that the user can start. */
const isQuiet = ({ at: place }: Step): boolean => !['loading', 'sending', 'pending'].includes(place);

const withdrawal = ({ asked }: Pending, isLast: boolean): Effect => ({
  type: 'withdraw',
  id: asked.id,
  isLast,
});

/** With a device that the page has fixed there is nothing to load. */
function open(state: State, deviceId: string | undefined): Update {
  if (!isQuiet(state.step) && state.step.at !== 'loading') return [state, []];
  const opened = { ...state, deviceId, isFixed: deviceId !== undefined };
  return deviceId === undefined ? load(opened, false) : at(opened, { at: 'ready' });
}

const load = (state: State, startsThen: boolean): Update =>
  at(state, { at: 'loading', startsThen }, { type: 'load-devices' });

function takeDevices(state: State, devices: State['devices']): Update {
  const { step } = state;
  if (step.at !== 'loading') return [state, []];
  const known = devices.find(({ deviceId }) => deviceId === state.deviceId);
  const preferred = known ?? devices.find(({ isReachable }) => isReachable) ?? devices[0];
  const loaded = { ...state, devices, deviceId: preferred?.deviceId };
  if (!preferred) return at(loaded, { at: 'no-device' }, { type: 'no-device' });
  return step.startsThen ? send(loaded) : at(loaded, { at: 'ready' });
}

function start(state: State, now: number): Update {
  const { step } = state;
  if (step.at === 'loading') return at(state, { ...step, startsThen: true });
  if (!isQuiet(step)) return [state, []];
  if (step.at === 'no-device') return load(state, true);
  if (step.at !== 'stopped') return send(state);
  if (step.problem.until !== undefined && now < step.problem.until) return [state, []];
  // The list may be what was wrong.
  return state.isFixed ? send(state) : load(state, true);
}

function send(state: State): Update {
  const run = state.run + 1;
  return at({ ...state, run }, { at: 'sending', run }, { type: 'send', run, deviceId: state.deviceId });
}

type Sent = Extract<Message, { type: 'sent' }>;

/** Nobody waits any longer for a request whose answer comes too late. */
function takeSent(state: State, { run, asked, expiresInMs, intervalMs }: Sent, now: number): Update {
  if (run !== state.run || state.step.at !== 'sending')
    return [state, [{ type: 'withdraw', id: asked.id, isLast: true }]];
  const deadline = now + expiresInMs;
  return at(
    state,
    { at: 'pending', asked, deadline, lifetimeMs: expiresInMs, isLost: false, isLeaving: false },
    { type: 'poll', id: asked.id, afterMs: Math.min(intervalMs, expiresInMs) },
  );
}

type Polled = Extract<Message, { type: 'polled' }>;

function takePolled(state: State, { id, outcome, expiresInMs, intervalMs }: Polled, now: number): Update {
  const { step } = state;
  if (step.at !== 'pending' || step.asked.id !== id) return [state, []];
  if (outcome) return end(state, step, outcome);
  return at(
    state,
    { ...step, deadline: now + expiresInMs, isLost: false },
    { type: 'poll', id, afterMs: intervalMs },
  );
}

function end(state: State, { asked: { id, deviceName } }: Pending, outcome: Polled['outcome'] & {}): Update {
  const named = deviceName === undefined ? {} : { deviceName };
  const ended: Effect = { type: 'end', outcome };
  return outcome.status === 'confirmed'
    ? at(state, { at: 'confirmed', id, ...named }, { type: 'confirm', id }, ended)
    : at(state, { at: 'ended', outcome, ...named }, ended);
}

function takeRefusal(state: State, what: string, refusal: Refusal, now: number): Update {
  const { step } = state;
  if (what === 'devices') return step.at === 'loading' ? stop(state, problemOf(refusal, now)) : [state, []];
  if (step.at !== 'pending') return [state, []];
  const { asked, deadline } = step;
  const again = (afterMs: number): Effect => ({ type: 'poll', id: asked.id, afterMs });
  // It was decided before it could be withdrawn: the next look says how.
  if (refusal.code === 'already-decided') return at(state, { ...step, isLeaving: false }, again(0));
  if (!mayPass(refusal)) return stop(state, problemOf(refusal, now));
  if (now > deadline + GRACE_MS) return stop(state, { code: 'lost', status: refusal.status });
  const pause = Math.max(LOST_INTERVAL_MS, refusal.retryAfterMs ?? 0);
  return at(state, { ...step, isLost: true, isLeaving: false }, again(pause));
}

const mayPass = ({ status }: Refusal): boolean => status === 0 || status === 429 || status >= 500;

function problemOf({ status, code, detail, retryAfterMs }: Refusal, now: number): Problem {
  return {
    status,
    code,
    ...(detail !== undefined && { detail }),
    ...(retryAfterMs !== undefined && { until: now + retryAfterMs }),
  };
}

function stop(state: State, problem: Problem): Update {
  // The user has several devices, or none, and the page did not know.
  if (problem.code === 'device-choice-required' && !state.isFixed) return load(state, false);
  if (problem.code === 'device-not-found' && !state.isFixed && state.devices.length === 0)
    return at(state, { at: 'no-device' }, { type: 'no-device' });
  return at(state, { at: 'stopped', problem }, { type: 'problem', problem });
}

function cancel(state: State): Update {
  const { step } = state;
  // The request is not there yet. It is withdrawn as soon as it is.
  if (step.at === 'sending') return at({ ...state, run: state.run + 1 }, { at: 'ready' });
  if (step.at !== 'pending' || step.isLeaving) return [state, []];
  return at(state, { ...step, isLeaving: true }, withdrawal(step, false));
}

/** From the browser's back and forward cache. The request was withdrawn when the page was left, if that arrived. */
function comeBack(state: State): Update {
  const { step } = state;
  if (step.at === 'pending') return [state, [{ type: 'poll', id: step.asked.id, afterMs: 0 }]];
  return step.at === 'confirmed' || step.at === 'ended' ? at(state, { at: 'ready' }) : [state, []];
}

function reset(state: State): Update {
  const { step } = state;
  if (step.at === 'loading') return at(state, { at: 'loading', startsThen: false });
  if (step.at === 'no-device' || step.at === 'ready') return [state, []];
  const next = { ...state, run: state.run + 1 };
  if (state.devices.length === 0 && !state.isFixed) return load(next, false);
  return at(next, { at: 'ready' }, ...(step.at === 'pending' ? [withdrawal(step, true)] : []));
}
