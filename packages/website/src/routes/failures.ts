import { OmiError } from '../omi-error.ts';
import { isTransient } from '../../../http/src/retries.ts';
import { problem } from './answers.ts';
import { Denied } from './denied.ts';
import { Refused } from './refused.ts';

/** What the page can act upon: it has words of its own. */
const forThePage = [
  'device-not-found',
  'device-choice-required',
  'confirmation-pending',
  'too-many-notifications',
  'too-many-devices',
  'already-decided',
  'confirmation-required',
  'recovery-required',
  'confirmation-not-found',
  'enrolment-not-found',
];

/** The answer to a page whose request failed. It contains only what the page can act upon. */
export function answerTo(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof Denied) return error.response();
  if (error instanceof Refused) return error.response;
  if (error instanceof OmiError && error.status !== undefined && forThePage.includes(error.code))
    return problem(error.status, error.code, 'The service refused.', retryAfter(error.retryAfter));
  onError(error);
  if (isTransient(error))
    return problem(503, 'temporarily-unavailable', 'Try again.', retryAfter(error.retryAfter ?? 2));
  return problem(500, 'internal-error', 'The website failed.');
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };
