import { ResponseBodyError } from 'openid-client';
import { type Answer, NotAsked } from './question.ts';

const unexplained = (code: string): string => `The question was not accepted (${code}).`;

const refusals: Record<string, string> = {
  temporarily_unavailable: 'Another question is open, or there were too many. Ask later.',
  unknown_user_id: 'The user has no device that can approve.',
};

/** Only what the model may know: nothing of the device. */
export const notAsked = ({ error }: ResponseBodyError): NotAsked =>
  new NotAsked(refusals[error] ?? unexplained(error));

const ends: Record<string, Answer> = {
  // No difference between a denial and a withdrawal.
  access_denied: { status: 'refused', explanation: 'The user did not approve. Do not ask again.' },
  expired_token: { status: 'expired', explanation: 'The user did not answer in time.' },
  invalid_grant: {
    status: 'unknown',
    explanation: 'The answer was lost, or fetched before. Nothing was carried out with it.',
  },
};

/** @returns undefined if the same request may succeed later */
export function endOf(error: unknown): Answer | undefined {
  if (!(error instanceof ResponseBodyError) || error.status >= 500 || error.status === 429) return undefined;
  return ends[error.error] ?? { status: 'unavailable', explanation: unexplained(error.error) };
}
