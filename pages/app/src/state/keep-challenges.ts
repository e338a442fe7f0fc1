import { without } from '#ui/without.ts';
import type { OpenChallenge, State } from './state.ts';

/** Only these challenges stay open. An answer to another one is forgotten, so that it does not block the next answer. */
export function keepChallenges(state: State, isKept: (open: OpenChallenge) => boolean): State {
  const challenges = state.challenges.filter(isKept);
  const isAnswerKept = challenges.some(
    ({ challenge }) => challenge.challengeId === state.answering?.challengeId,
  );
  return { ...(isAnswerKept ? state : without(state, 'answering')), challenges };
}
