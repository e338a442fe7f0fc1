import { Denied, OmiError } from '#website';
import { Problem } from './problem.ts';

/** The answer to a request that failed. It tells nothing of OMI but that it failed. */
export function answerTo(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof Denied) return error.response();
  onError(error);
  return failureOf(error).response();
}

function failureOf(error: unknown): Problem {
  if (!(error instanceof OmiError))
    return new Problem('The bank failed.', { status: 500, code: 'internal-error' });
  return new Problem('The bank cannot reach OMI now. Try again.', {
    status: 503,
    code: 'temporarily-unavailable',
    headers: { 'retry-after': String(error.retryAfter ?? 2) },
  });
}
