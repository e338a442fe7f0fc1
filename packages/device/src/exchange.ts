import { DeviceError } from './device-error.ts';
import { readProblem } from './reading.ts';

/** Longer than the 30 s within which the service answers. */
const LONGEST_ANSWER_MS = 35_000;

/** Far above every valid answer. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

export type HttpRequest = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Whether the browser may answer from its cache. */
  cache?: 'default' | 'no-store';
};

/**
 * Sends one request and returns the JSON of the answer; undefined for an empty one.
 *
 * @throws {DeviceError} for every answer that is no success
 */
export async function exchange(fetch: typeof globalThis.fetch, request: HttpRequest): Promise<unknown> {
  const { response, text } = await send(fetch, request);
  const body = parseJson(text);
  if (response.ok) return body.value;
  throw failureOf(response, body.value);
}

async function send(fetch: typeof globalThis.fetch, { url, cache = 'no-store', ...request }: HttpRequest) {
  try {
    const response = await fetch(url, {
      ...request,
      cache,
      credentials: 'omit',
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    });
    return { response, text: await readText(response) };
  } catch (error) {
    if (error instanceof DeviceError) throw error;
    throw new DeviceError('network', { cause: error });
  }
}

/** The body, unless it is larger than any answer of the service. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return await response.text();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > LARGEST_ANSWER_BYTES) {
      await reader.cancel();
      throw new DeviceError('unexpected-answer', { status: response.status });
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseJson(text: string): { value?: unknown } {
  if (text === '') return {};
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}

/** 429 and 5xx may also come from what stands before the service, without a problem document. */
function failureOf({ status, headers }: Response, body: unknown): DeviceError {
  const { code, ...problem } = readProblem(body);
  const mayPass = status === 429 || status >= 500;
  return new DeviceError(code ?? (mayPass ? 'temporarily-unavailable' : 'unexpected-answer'), {
    ...problem,
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
