import type { HttpAnswer } from '../../http/src/exchange.ts';
import { secondsOf } from '../../http/src/retry-after.ts';
import { isKnown, type OmiErrorCode } from './hints.ts';
import { OmiError } from './omi-error.ts';
import { readProblem } from './reading.ts';

/** The codes of answers without one that is known: of the gateway, of a proxy, or of a newer service. */
const codes: Record<number, OmiErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  413: 'too-large',
  429: 'too-many-requests',
};

function codeOf(status: number): OmiErrorCode {
  return codes[status] ?? (status >= 500 ? 'temporarily-unavailable' : 'unexpected-answer');
}

/** Characters. The text of a shorter token, as tests have it, is part of many words: only where it stands alone it is the token. */
const shortestSecret = 8;

const without = (text: string, token: string): string =>
  token.length >= shortestSecret
    ? text.replaceAll(token, '…')
    : text
        .split(/([^\w-]+)/)
        .map((word) => (word === token ? '…' : word))
        .join('');

/**
 * The error of an answer that is no success.
 *
 * @param token what the call was sent with. A proxy may answer with the request's headers, and errors are logged.
 */
export function failureOf({ status, headers, body }: HttpAnswer, token?: string): OmiError {
  const withoutToken = (text: string): string => (token === undefined ? text : without(text, token));
  const { code = codeOf(status), detail = `The service answered ${status}.`, ...problem } = readProblem(body);
  return new OmiError(code !== token && isKnown(code) ? code : codeOf(status), {
    detail: withoutToken(detail),
    ...(problem.traceId !== undefined && { traceId: withoutToken(problem.traceId) }),
    ...(problem.errors && {
      errors: problem.errors.map((error) => ({
        pointer: withoutToken(error.pointer),
        detail: withoutToken(error.detail),
      })),
    }),
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}
