import type { Fail } from '../../http/src/call-error.ts';
import { exchange, type HttpAnswer, type HttpRequest } from '../../http/src/exchange.ts';
import { secondsOf } from '../../http/src/retry-after.ts';
import { DeviceError } from './device-error.ts';
import { readProblem } from './reading.ts';

/** Longer than the 30 s within which the service answers. */
const longestAnswerMs = 35_000;

export type DeviceRequest = Omit<HttpRequest, 'patienceMs'> & { patienceMs?: number | undefined };

/** To a user, a late answer is no answer. */
const fail: Fail = (fault, { status }) =>
  new DeviceError(fault === 'timeout' ? 'network' : fault, { status });

/**
 * Sends one request and returns the JSON of the answer; undefined for an empty one.
 *
 * @throws {DeviceError} for every answer that is not a success
 */
export async function send(
  fetch: typeof globalThis.fetch,
  { patienceMs = longestAnswerMs, ...request }: DeviceRequest,
): Promise<unknown> {
  const answer = await exchange(
    { fetch, fail },
    { cache: 'no-store', ...request, credentials: 'omit', patienceMs },
  );
  if (answer.ok) return answer.body;
  throw failureOf(answer);
}

/** 429 and 5xx may also come from a proxy before the service, without a problem document. */
function failureOf({ status, headers, body }: HttpAnswer): DeviceError {
  const { code, ...problem } = readProblem(body);
  const mayPass = status === 429 || status >= 500;
  return new DeviceError(code ?? (mayPass ? 'temporarily-unavailable' : 'unexpected-answer'), {
    ...problem,
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}
