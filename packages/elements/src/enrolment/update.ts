import type { Refusal } from '../http/exchange.ts';
import type { Effect, Look, Message, Started, State, Step, Waiting } from './state.ts';

/** A state and what follows from it. */
export type Update = readonly [State, readonly Effect[]];

const intervalMs = 2_000;
/** After a minute the user is likely to be busy on the other device. */
const slowIntervalMs = 4_000;
const slowAfterMs = 60_000;

/** The next state, and the effects to run. It is pure, and a message that does not fit the state changes nothing. */
export function update(state: State, message: Message, now: number): Update {
  const { step, run } = state;
  switch (message.type) {
    case 'opened':
      return [{ step: { at: 'starting' }, run: run + 1 }, [{ type: 'start', run: run + 1 }]];
    case 'started':
      return message.run === run && step.at === 'starting' ? begin(state, message.started, now) : [state, []];
    case 'not-started':
      return message.run === run && step.at === 'starting' ? stop(state, message.refusal, now) : [state, []];
    case 'looked':
      return step.at === 'waiting' && step.id === message.id
        ? takeLook(state, step, message.look, now)
        : [state, []];
    case 'not-looked':
      return step.at === 'waiting' && step.id === message.id
        ? takeRefusal(state, step, message.refusal, now)
        : [state, []];
    case 'closed':
      return [{ step: { at: 'starting' }, run: run + 1 }, []];
    case 'returned':
      return [state, step.at === 'waiting' ? [{ type: 'look', id: step.id, afterMs: 0 }] : []];
  }
}

const at = (state: State, step: Step, ...effects: Effect[]): Update => [{ ...state, step }, effects];

function begin(state: State, started: Started, now: number): Update {
  const deadline = now + started.expiresInMs;
  return wait(state, { ...started, at: 'waiting', deadline, isLost: false }, now);
}

/** Looks again, and at the latest when the link expires. */
function wait(state: State, waiting: Waiting, now: number): Update {
  const { id, deadline, expiresInMs } = waiting;
  const left = deadline - now;
  const interval = expiresInMs - left < slowAfterMs ? intervalMs : slowIntervalMs;
  return at(state, waiting, { type: 'look', id, afterMs: left > 0 ? Math.min(interval, left) : interval });
}

function takeLook(state: State, step: Waiting, { status, device }: Look, now: number): Update {
  if (status === 'waiting') return wait(state, { ...step, isLost: false }, now);
  if (status === 'expired') return at(state, { at: 'expired' });
  return at(state, { at: 'completed', deviceName: device?.name }, { type: 'enrolled', device });
}

function takeRefusal(state: State, step: Waiting, refusal: Refusal, now: number): Update {
  const { status, retryAfterMs = 0 } = refusal;
  const mayPass = status === 0 || status === 429 || status >= 500;
  if (!mayPass) return stop(state, refusal, now);
  const afterMs = Math.max(slowIntervalMs, retryAfterMs);
  return at(state, { ...step, isLost: true }, { type: 'look', id: step.id, afterMs });
}

function stop(state: State, refusal: Refusal, now: number): Update {
  const { retryAfterMs, code } = refusal;
  const problem = { ...refusal, until: retryAfterMs && now + retryAfterMs };
  return at(state, { at: 'stopped', problem }, { type: 'problem', code });
}
