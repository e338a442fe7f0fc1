import type { Refusal } from '../http/exchange.ts';
import type { Asked, Effect, Look, Message, Outcome, Pending, Problem, State, Step } from './state.ts';

/** A state and what follows from it. */
export type Update = readonly [State, readonly Effect[]];

/** A result that is this much late is not waited for any longer. */
const graceMs = 30_000;

/** How often the server is asked again while it does not answer. */
const lostIntervalMs = 3_000;

/** The pause between two looks, for a server that names none or a very short one. */
const defaultIntervalSeconds = 2;
const shortestIntervalMs = 200;

/**
 * The next state, and the effects to run. It is pure: the same state, message and time give the same result. A message that
 * does not fit the state changes nothing.
 *
 * @param now milliseconds of a clock that nobody sets
 */
export function update(state: State, message: Message, now: number): Update {
  const { step, isFixed } = state;
  switch (message.type) {
    case 'opened':
      return open(state, message.deviceId);
    case 'seen':
      return step.at === 'no-device' || isSignedOut(step) ? load(state, false) : [state, []];
    case 'enrolled':
      return ['ready', 'no-device'].includes(step.at) && !isFixed ? load(state, false) : [state, []];
    case 'devices':
      return step.at === 'loading' ? takeDevices(state, message.devices, step.startsThen) : [state, []];
    case 'no-devices':
      return step.at === 'loading' ? stop(state, problemOf(message.refusal, now)) : [state, []];
    case 'chosen':
      return isUnderWay(step) ? [state, []] : [{ ...state, deviceId: message.deviceId }, []];
    case 'started':
      return start(state, now);
    case 'others-unwanted':
      return isOtherOpen(step) ? withdrawOthers(state) : [state, []];
    case 'others-withdrawn':
      return step.at === 'sending' && message.run === state.run ? send(state) : [state, []];
    case 'sent':
      return takeSent(state, message.run, message.asked, now);
    case 'not-sent':
      return step.at === 'sending' && message.run === state.run
        ? stop(state, problemOf(message.refusal, now))
        : [state, []];
    case 'looked':
    case 'refused':
    case 'withdrawn':
      return step.at === 'pending' && step.id === message.id
        ? takeAnswer(state, step, message, now)
        : [state, []];
    case 'cancelled':
      return cancel(state);
    case 'left':
      return [state, step.at === 'pending' ? [withdrawal(step, true)] : []];
    case 'returned':
      return comeBack(state);
    case 'form-changed':
      return stop(state, { code: 'form-changed', status: 0 });
    case 'reset':
      return reset(state);
  }
}

const at = (state: State, step: Step, ...effects: Effect[]): Update => [{ ...state, step }, effects];

export const isUnderWay = (step: Step): boolean => step.at === 'sending' || step.at === 'pending';

const isSignedOut = (step: Step): boolean => step.at === 'stopped' && step.problem.status === 401;

/**
 * The refusal because the device has no place for the request: the user has another one open, in another tab or from before a
 * restart of the website.
 */
const isOtherOpen = (step: Step): boolean =>
  step.at === 'stopped' && step.problem.code === 'confirmation-pending';

const withdrawal = ({ id }: { id: string }, isLast: boolean): Effect => ({ type: 'withdraw', id, isLast });

const look = (id: string, afterMs: number): Effect => ({ type: 'look', id, afterMs });

/**
 * With a device that the page has fixed there is nothing to load. A request that is under way stays; the next one is for this device.
 * What was to start once devices are loaded still does.
 */
function open(state: State, deviceId: string | undefined): Update {
  const opened = { ...state, deviceId, isFixed: deviceId !== undefined };
  if (isUnderWay(state.step)) return [opened, []];
  const startsThen = state.step.at === 'loading' && state.step.startsThen;
  if (deviceId === undefined) return load(opened, startsThen);
  return startsThen ? send(opened) : at(opened, { at: 'ready' });
}

const load = (state: State, startsThen: boolean): Update =>
  at(state, { at: 'loading', startsThen }, { type: 'load-devices' });

function takeDevices(state: State, devices: State['devices'], startsThen: boolean): Update {
  const known = devices.find(({ deviceId }) => deviceId === state.deviceId);
  const preferred = known ?? devices.find(({ status }) => status === 'active') ?? devices[0];
  const loaded = { ...state, devices, deviceId: preferred?.deviceId };
  if (!preferred) return at(loaded, { at: 'no-device' }, { type: 'no-device' });
  return startsThen ? send(loaded) : at(loaded, { at: 'ready' });
}

function start(state: State, now: number): Update {
  const { step, isFixed } = state;
  if (isUnderWay(step)) return [state, []];
  if (step.at === 'loading') return at(state, { ...step, startsThen: true });
  if (step.at === 'stopped' && !isOtherOpen(step) && now < (step.problem.until ?? now)) return [state, []];
  // The list of devices may be what was wrong.
  const mustLoad = step.at === 'no-device' || (step.at === 'stopped' && !isFixed);
  return mustLoad ? load(state, true) : send(state);
}

function send(state: State): Update {
  const run = state.run + 1;
  return at({ ...state, run }, { at: 'sending' }, { type: 'send', run, deviceId: state.deviceId });
}

function withdrawOthers(state: State): Update {
  const run = state.run + 1;
  return at({ ...state, run }, { at: 'sending' }, { type: 'withdraw-others', run });
}

/** Nobody waits any longer for a request whose answer comes too late. */
function takeSent(state: State, run: number, asked: Asked, now: number): Update {
  if (run !== state.run || state.step.at !== 'sending') return [state, [withdrawal(asked, true)]];
  const deadline = now + asked.expiresInMs;
  const pending: Pending = { ...asked, at: 'pending', deadline, isLost: false, isLeaving: false };
  return at(state, pending, look(asked.id, pauseOf(asked)));
}

const pauseOf = ({ interval = defaultIntervalSeconds }: Partial<Asked>): number =>
  Math.max(shortestIntervalMs, interval * 1_000);

type Answer = Extract<Message, { type: 'looked' | 'refused' | 'withdrawn' }>;

function takeAnswer(state: State, step: Pending, answer: Answer, now: number): Update {
  switch (answer.type) {
    case 'looked':
      return takeLook(state, step, answer.look, now);
    case 'refused':
      return takeRefusal(state, step, answer.refusal, now);
    case 'withdrawn':
      return end(state, step, { status: 'cancelled', reason: 'withdrawn' });
  }
}

function takeLook(state: State, step: Pending, found: Look, now: number): Update {
  const { status, reason, expiresInMs } = found;
  if (status !== 'pending') return end(state, step, { status, reason });
  const pending = { ...step, deadline: now + expiresInMs, isLost: false };
  return at(state, pending, look(step.id, pauseOf(found)));
}

function end(state: State, { id, deviceName }: Pending, outcome: Outcome): Update {
  const step: Step =
    outcome.status === 'confirmed' ? { at: 'confirmed', deviceName } : { at: 'ended', outcome, deviceName };
  return at(state, step, { type: 'end', id, outcome });
}

function takeRefusal(state: State, step: Pending, refusal: Refusal, now: number): Update {
  const { status, code, retryAfterMs = 0 } = refusal;
  const { id, deadline } = step;
  const waiting = { ...step, isLeaving: false };
  // It was decided before it could be withdrawn: the next look says how.
  if (code === 'already-decided') return at(state, waiting, look(id, 0));
  const mayPass = status === 0 || status === 429 || status >= 500;
  if (!mayPass) return stop(state, problemOf(refusal, now));
  if (now > deadline + graceMs) return stop(state, { code: 'lost', status });
  return at(state, { ...waiting, isLost: true }, look(id, Math.max(lostIntervalMs, retryAfterMs)));
}

const problemOf = ({ retryAfterMs, ...problem }: Refusal, now: number): Problem => ({
  ...problem,
  until: retryAfterMs && now + retryAfterMs,
});

function stop(state: State, problem: Problem): Update {
  const { isFixed, devices } = state;
  // The user has several devices, or none, and the page did not know.
  if (problem.code === 'device-choice-required' && !isFixed) return load(state, false);
  if (problem.code === 'device-not-found' && !isFixed && devices.length < 1)
    return at(state, { at: 'no-device' }, { type: 'no-device' });
  return at(state, { at: 'stopped', problem }, { type: 'problem', problem });
}

function cancel(state: State): Update {
  const { step, run } = state;
  // The request is not there yet. It is withdrawn as soon as it is.
  if (step.at === 'sending') return at({ ...state, run: run + 1 }, { at: 'ready' });
  if (step.at !== 'pending' || step.isLeaving) return [state, []];
  return at(state, { ...step, isLeaving: true }, withdrawal(step, false));
}

/** From the browser's back and forward cache. The next look says whether the request was answered, or withdrawn when the page was left. */
function comeBack(state: State): Update {
  const { step } = state;
  if (step.at === 'pending') return [state, [look(step.id, 0)]];
  return step.at === 'confirmed' ? at(state, { at: 'ready' }) : [state, []];
}

function reset(state: State): Update {
  const { step, run, devices, isFixed } = state;
  if (step.at === 'loading') return at(state, { ...step, startsThen: false });
  if (step.at === 'no-device') return [state, []];
  const next = { ...state, run: run + 1 };
  if (devices.length < 1 && !isFixed) return load(next, false);
  return at(next, { at: 'ready' }, ...(step.at === 'pending' ? [withdrawal(step, true)] : []));
}
