import type { HttpAnswer } from './exchange.ts';
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

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function secondsOf(retryAfter: string | null, now = Date.now()): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = retryAfter.endsWith(' GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000));
}
