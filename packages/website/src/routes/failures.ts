import type { OmiErrorCode } from '../hints.ts';
import { OmiError } from '../omi-error.ts';
import { isTransient } from '../../../http/src/retries.ts';
import { problem } from './answers.ts';
import { Denied } from './denied.ts';
import { Refused } from './refused.ts';

/** What only the website, its operator or time can mend. Groups have no routes. */
type NotForThePage =
  | 'invalid-options'
  | 'network'
  | 'timeout'
  | 'unexpected-answer'
  | 'token-refused'
  | 'invalid-callback'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'too-many-requests'
  | 'invalid-request'
  | 'invalid_authorization_details'
  | 'group-not-found'
  | 'group-not-reachable'
  | 'nonce-already-used'
  | 'too-large'
  | 'unsupported-media-type'
  | 'temporarily-unavailable';

/** What the page can act upon, for its developer: the elements have words of their own for users. */
export const forThePage: Partial<Record<OmiErrorCode, string>> = {
  'device-not-found': 'The user has no such device, or none at all: offer to add one.',
  'device-choice-required': 'Let the user choose a device, and name it as `device`.',
  'confirmation-pending': 'A question is open on the device: it must be answered or withdrawn first.',
  'too-many-notifications': 'The user was asked too often: wait for `Retry-After` seconds.',
  'user-suspended': 'The help desk has suspended the user: do not carry the action out.',
  'already-decided': 'The user has already answered: look once more.',
  'confirmation-required': 'The user must first confirm this change of devices.',
  'recovery-required': 'The user has no device left to confirm with: send the user to the help desk.',
  'confirmation-not-found': 'There is no such confirmation, or it ended long ago: ask anew.',
  'enrolment-not-found': 'There is no such enrolment: start a new one.',
} satisfies Record<Exclude<OmiErrorCode, NotForThePage>, string>;

/** The answer to a page whose request failed. It contains only what the page can act upon. */
export function answerTo(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof Denied) return error.response();
  if (error instanceof Refused) return error.response;
  const detail = error instanceof OmiError ? forThePage[error.code] : undefined;
  if (error instanceof OmiError && error.status !== undefined && detail !== undefined)
    return problem(error.status, error.code, detail, retryAfter(error.retryAfter));
  onError(error);
  if (isTransient(error))
    return problem(503, 'temporarily-unavailable', 'Try again.', retryAfter(error.retryAfter ?? 2));
  return problem(500, 'internal-error', 'The website failed.');
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };
