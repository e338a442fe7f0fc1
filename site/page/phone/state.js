/** What one phone knows and shows. Pure functions: each makes a new state of an old one. */

/** @import { Challenge } from '/assets/omi-device.js' */

/** @typedef {{ challenge: Challenge, deadline: number }} Waiting */
/** @typedef {'confirm' | 'deny' | 'not_me'} Decision */
/** @typedef {'confirmed' | 'denied' | 'not_me' | 'expired' | 'gone' | 'wrong-number' | 'mismatch'} Outcome */
/**
 * @typedef {{
 *   contact: 'new' | 'reached' | 'unreachable' | 'removed',
 *   waiting: readonly Waiting[],
 *   answering?: Decision | undefined,
 *   asksNumber: boolean,
 *   problem?: string | undefined,
 *   ended?: { challenge: Challenge, outcome: Outcome } | undefined,
 * }} PhoneState
 */

/** @type {PhoneState} */
export const initialState = { contact: 'new', waiting: [], asksNumber: false };

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
  if (!shown || state.answering) return { ...reached, waiting: state.answering ? state.waiting : waiting };
  const isThere = waiting.some(({ challenge }) => challenge.challengeId === shown.challenge.challengeId);
  if (isThere) return { ...reached, waiting };
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
  const [shown] = state.waiting;
  return shown && !state.answering && shown.deadline <= now ? ended(state, 'expired') : state;
}

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
export const dismissed = (state) => ({ ...state, ended: undefined });

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
  return shown ? { ...idle, ended: { challenge: shown.challenge, outcome } } : idle;
}
