/**
 * What one phone knows and shows. Pure functions: each makes a new state of an old one. The first request that waits is shown.
 * While the phone `isPaused`, it shows the result of the one before, so that no tap meets a request that was not read.
 */

/** @import { Challenge } from '/assets/omi-device.js' */

/** @typedef {{ challenge: Challenge, deadline: number }} Waiting */
/** @typedef {'confirm' | 'deny' | 'not_me'} Decision */
/** @typedef {'confirmed' | 'denied' | 'not_me' | 'expired' | 'gone' | 'wrong-number' | 'mismatch'} Outcome */
/**
 * @typedef {{
 *   contact: 'new' | 'reached' | 'unreachable' | 'removed',
 *   waiting: readonly Waiting[],
 *   isPaused: boolean,
 *   answering?: Decision | undefined,
 *   asksNumber: boolean,
 *   problem?: string | undefined,
 *   ended?: { challenge: Challenge, outcome: Outcome } | undefined,
 * }} PhoneState
 */

/** @type {PhoneState} */
export const initialState = { contact: 'new', waiting: [], isPaused: false, asksNumber: false };

/**
 * The service said what waits.
 *
 * @param {PhoneState} state
 * @param {readonly Challenge[]} challenges
 * @param {number} now
 * @returns {PhoneState}
 */
export function fetched(state, challenges, now) {
  const deadlines = new Map(
    state.waiting.map(({ challenge, deadline }) => [challenge.challengeId, deadline]),
  );
  const waiting = challenges
    .filter(({ challengeId }) => challengeId !== state.ended?.challenge.challengeId)
    .map((challenge) => ({
      challenge,
      // Each call is a little late, so the earliest is the most exact.
      deadline: Math.min(now + challenge.expiresInMs, deadlines.get(challenge.challengeId) ?? Infinity),
    }));
  const reached = { ...state, contact: /** @type {const} */ ('reached') };
  const [shown] = state.waiting;
  if (state.answering) return { ...reached, waiting: state.waiting };
  // Behind a result, nobody looks at it yet.
  if (!shown || state.isPaused) return { ...reached, waiting };
  const isThere = waiting.some(({ challenge }) => challenge.challengeId === shown.challenge.challengeId);
  if (isThere) return { ...reached, waiting: withFirst(waiting, shown.challenge.challengeId) };
  return ended({ ...reached, waiting: [shown, ...waiting] }, shown.deadline <= now ? 'expired' : 'gone');
}

/**
 * Time passed.
 *
 * @param {PhoneState} state
 * @param {number} now
 * @returns {PhoneState}
 */
export function ticked(state, now) {
  /** @param {Waiting} waiting */
  const isOver = ({ deadline }) => deadline <= now;
  const [shown, ...others] = state.waiting;
  if (!shown || state.answering || !state.waiting.some(isOver)) return state;
  const left = { ...state, waiting: [shown, ...others.filter((one) => !isOver(one))] };
  if (!isOver(shown)) return left;
  // Nobody looks at it yet.
  return state.isPaused ? { ...left, waiting: left.waiting.slice(1) } : ended(left, 'expired');
}

/**
 * The user chose another request from the list.
 *
 * @param {PhoneState} state
 * @param {string} challengeId
 * @returns {PhoneState}
 */
export const chosen = (state, challengeId) =>
  state.answering
    ? state
    : { ...state, waiting: withFirst(state.waiting, challengeId), problem: undefined, asksNumber: false };

/**
 * A new request must not take the place of the one that the user reads.
 *
 * @param {readonly Waiting[]} waiting
 * @param {string} challengeId
 * @returns {Waiting[]}
 */
const withFirst = (waiting, challengeId) =>
  waiting.toSorted((a, b) => Number(is(b, challengeId)) - Number(is(a, challengeId)));

/**
 * @param {Waiting} waiting
 * @param {string} challengeId
 */
const is = ({ challenge }, challengeId) => challenge.challengeId === challengeId;

/**
 * The user tapped a button.
 *
 * @param {PhoneState} state
 * @param {Decision} decision
 * @returns {PhoneState}
 */
export const answering = (state, decision) => ({ ...state, problem: undefined, answering: decision });

/**
 * The service took the answer.
 *
 * @param {PhoneState} state
 * @param {string} status
 * @returns {PhoneState}
 */
export function answered(state, status) {
  if (status === 'confirmed') return ended(state, 'confirmed');
  if (status !== 'denied') return ended(state, 'gone');
  return ended(state, state.answering === 'not_me' ? 'not_me' : 'denied');
}

/** @type {Record<string, Outcome>} */
const finalCodes = {
  'wrong-number': 'wrong-number',
  'message-mismatch': 'mismatch',
  'challenge-expired': 'expired',
  'challenge-not-found': 'gone',
  'already-decided': 'gone',
};

/**
 * The service refused the answer, or none came.
 *
 * @param {PhoneState} state
 * @param {{ code: string, message: string }} error
 * @returns {PhoneState}
 */
export function refused(state, { code, message }) {
  const outcome = finalCodes[code];
  if (outcome) return ended(state, outcome);
  if (code === 'invalid-signature') return removed;
  const idle = { ...state, answering: undefined };
  if (code === 'number-required' && !state.asksNumber) return { ...idle, asksNumber: true };
  return { ...idle, problem: message };
}

/**
 * No answer to the question what waits.
 *
 * @param {PhoneState} state
 * @param {string} code
 * @returns {PhoneState}
 */
export function unreachable(state, code) {
  return code === 'invalid-signature' ? removed : { ...state, contact: 'unreachable' };
}

/**
 * The user has read the result.
 *
 * @param {PhoneState} state
 * @returns {PhoneState}
 */
export const dismissed = (state) => ({ ...state, ended: undefined, isPaused: false });

/** @type {PhoneState} */
const removed = { ...initialState, contact: 'removed' };

/**
 * @param {PhoneState} state
 * @param {Outcome} outcome
 * @returns {PhoneState}
 */
function ended(state, outcome) {
  const [shown, ...waiting] = state.waiting;
  const idle = { ...state, answering: undefined, problem: undefined, waiting, asksNumber: false };
  if (!shown) return idle;
  return { ...idle, isPaused: waiting.length > 0, ended: { challenge: shown.challenge, outcome } };
}
