import type { Pending, Problem, State, Step } from '../../../../packages/elements/src/confirmation/state.ts';
import type { Step as EnrolmentStep } from '../../../../packages/elements/src/enrolment/state.ts';

/** A clock that stands still. */
export const now = 1_000_000;

const devices: State['devices'] = [
  { deviceId: 'phone', name: 'Anna’s phone', status: 'active' },
  { deviceId: 'tablet', name: 'Tablet in the kitchen, upstairs', status: 'unreachable' },
  { deviceId: 'laptop', name: 'Laptop', status: 'active' },
];

const stateAt = (step: Step, shown: State['devices'] = devices.slice(0, 1)): State => ({
  step,
  devices: shown,
  deviceId: 'phone',
  isFixed: false,
  run: 1,
});

const pending = (parts: Partial<Pending> = {}): State =>
  stateAt({
    at: 'pending',
    id: 'x',
    message: 'Pay 20.00 EUR to Jo Bakker (NL91 ABNA 0417 1643 00)?',
    deviceName: 'Anna’s phone',
    delivery: 'sent',
    expiresInMs: 120_000,
    interval: 1,
    deadline: now + 95_000,
    isLost: false,
    isLeaving: false,
    ...parts,
  });

const deviceName = 'Anna’s phone';

const ended = (status: 'denied' | 'expired' | 'cancelled' | 'failed', reason?: string): State =>
  stateAt({ at: 'ended', outcome: { status, reason }, deviceName });

const stopped = (code: string, status: number, parts: Partial<Problem> = {}): State =>
  stateAt({ at: 'stopped', problem: { code, status, ...parts } });

/** Every state that a user can see. */
export const confirmations: Record<string, State> = {
  loading: stateAt({ at: 'loading', startsThen: false }, []),
  'no-device': stateAt({ at: 'no-device' }, []),
  ready: stateAt({ at: 'ready' }),
  'ready-unreachable': stateAt({ at: 'ready' }, devices.slice(1, 2)),
  'ready-choice': stateAt({ at: 'ready' }, devices),
  sending: stateAt({ at: 'sending' }),
  pending: pending(),
  'pending-soon': pending({ deadline: now + 12_000 }),
  'pending-late': pending({ deadline: now - 1 }),
  'pending-number': pending({ matchCode: '42' }),
  'pending-number-type': pending({ matchCode: '839201', delivery: 'unreachable' }),
  'pending-unreachable': pending({ delivery: 'unreachable' }),
  'pending-here': pending({ delivery: 'unreachable', perhapsHere: true }),
  'pending-long': pending({ message: 'Donaudampfschifffahrtsgesellschaft '.repeat(8).slice(0, 256) }),
  'pending-rtl': pending({ message: 'ادفع 20.00 يورو إلى Jo Bakker؟' }),
  'pending-app': pending({ appUrl: 'https://app.example.org/#/challenge/x' }),
  lost: pending({ isLost: true }),
  leaving: pending({ isLeaving: true }),
  confirmed: stateAt({ at: 'confirmed', deviceName }),
  denied: ended('denied', 'user_declined'),
  'not-me': ended('denied', 'not_me'),
  expired: ended('expired'),
  withdrawn: ended('cancelled', 'withdrawn'),
  'device-removed': ended('cancelled', 'device_removed'),
  'wrong-number': ended('failed', 'wrong_number'),
  failed: ended('failed', 'too_many_bad_responses'),
  offline: stopped('network', 0),
  unknown: stopped('lost', 0),
  'signed-out': stopped('unauthorized', 401),
  refused: stopped('denied', 403, { detail: 'You can pay at most 1,000 EUR a day.' }),
  'device-gone': stopped('device-not-found', 404),
  'other-request': stopped('confirmation-pending', 409, { until: now + 74_000 }),
  'too-many': stopped('too-many-notifications', 429, { until: now + 3_723_000 }),
  suspended: stopped('user-suspended', 403),
  gone: stopped('confirmation-not-found', 404),
  changed: stopped('form-changed', 0),
  fault: stopped('unexpected', 500),
};

const problem = (code: string, status: number, until?: number): EnrolmentStep => ({
  at: 'stopped',
  problem: { code, status, until },
});

const waiting: EnrolmentStep = {
  at: 'waiting',
  id: 'x',
  link: 'https://app.example.org/enrol#v=1&api=https%3A%2F%2Fapi.example.org%2Fprod&code=3q2-7wAAAAAAAAAAAAAAAA',
  expiresInMs: 600_000,
  deadline: now + 560_000,
  isLost: false,
};

export const enrolments: Record<string, EnrolmentStep> = {
  starting: { at: 'starting' },
  waiting,
  'waiting-account': { ...waiting, account: 'Anna · …4711' },
  'waiting-account-long': {
    ...waiting,
    account: 'Donaudampfschifffahrtsgesellschaft '.repeat(2).slice(0, 64),
  },
  'waiting-late': { ...waiting, deadline: now - 1 },
  lost: { ...waiting, isLost: true },
  completed: { at: 'completed', deviceName },
  expired: { at: 'expired' },
  offline: problem('network', 0),
  'signed-out': problem('unauthorized', 401),
  'confirm-first': problem('confirmation-required', 403),
  'recover-first': problem('recovery-required', 403),
  gone: problem('enrolment-not-found', 404),
  refused: problem('denied', 403),
  'too-many': problem('throttled', 429, now + 12_000),
  fault: problem('unexpected', 500),
};
