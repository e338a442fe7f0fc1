import type { HttpAnswer } from '../../http/src/exchange.ts';
import { secondsOf } from '../../http/src/retry-after.ts';
import { OmiError } from './omi-error.ts';
import { readProblem } from './reading.ts';

/** The codes of answers without one: of the gateway, or of a proxy. */
const codes: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  413: 'too-large',
  429: 'too-many-requests',
};

function codeOf(status: number): string {
  return codes[status] ?? (status >= 500 ? 'temporarily-unavailable' : 'unexpected-answer');
}

/** The error of an answer that is no success. */
export function failureOf({ status, headers, body }: HttpAnswer): OmiError {
  const { code = codeOf(status), detail = `The service answered ${status}.`, ...problem } = readProblem(body);
  return new OmiError(code, {
    ...problem,
    detail,
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}
