import { OmiError } from '../omi-error.ts';
import { problem } from './answers.ts';
import { Denied } from './denied.ts';
import { Refused } from './refused.ts';

/** What the page can act upon. The text is for developers; the page has words of its own. */
const forThePage: Record<string, string> = {
  'device-not-found': 'The user has no such device.',
  'device-choice-required': 'The user has several devices: name one.',
  'confirmation-pending': 'A question is open on the device.',
  'too-many-notifications': 'The user was asked too often.',
  'too-many-devices': 'The user has too many devices.',
  'already-decided': 'The user, or the time, was faster: ask for the status.',
  'confirmation-required': 'A further device needs a confirmation with the purpose add-device.',
  'confirmation-not-found': 'There is no such confirmation.',
  'enrolment-not-found': 'There is no such enrolment.',
};

/** The answer to a page whose request failed. It tells nothing of the service but what the page can act upon. */
export function answerTo(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof Denied) return error.response();
  if (error instanceof Refused) return error.response;
  if (error instanceof OmiError) {
    const detail = Object.hasOwn(forThePage, error.code) ? forThePage[error.code] : undefined;
    if (detail !== undefined && error.status !== undefined)
      return problem(error.status, error.code, detail, retryAfter(error.retryAfter));
  }
  onError(error);
  if (error instanceof OmiError && isPassing(error))
    return problem(503, 'temporarily-unavailable', 'Try again.', retryAfter(error.retryAfter ?? 2));
  return problem(500, 'internal-error', 'The website failed.');
}

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };

/** No answer, a fault of the service, or too many calls: the same call may succeed later. */
const isPassing = ({ status, code }: OmiError): boolean =>
  code === 'network' || code === 'timeout' || status === 429 || (status ?? 0) >= 500;
