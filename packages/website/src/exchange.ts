import { unlessAborted } from './abort.ts';
import { joined } from '../../evidence/src/bytes.ts';
import { OmiError } from './omi-error.ts';

/** Far above every valid answer. */
const LARGEST_ANSWER_BYTES = 1024 * 1024;

export type HttpRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** What an answer must not bring back into an error. */
  secret?: string;
  /** Milliseconds until the answer is given up. */
  patience: number;
  signal?: AbortSignal | undefined;
};

/** The body is the answer's JSON: undefined if the answer has no content, null if that is not JSON. */
export type HttpAnswer = { ok: boolean; status: number; headers: Headers; body: unknown };

/**
 * Sends one request and reads the whole answer.
 *
 * @throws {OmiError} `network`, `timeout` or `unexpected-answer`; or the signal's reason
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { url, patience, signal, secret = '', ...request }: HttpRequest,
): Promise<HttpAnswer> {
  const { origin } = new URL(url);
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(new OmiError('timeout', { detail: `${origin} gave no answer in time.` }));
  };
  const abort = (): void => {
    controller.abort(signal?.reason);
  };
  const timer = setTimeout(giveUp, patience);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    return await unlessAborted(
      send(fetch, url, { ...request, signal: controller.signal }, secret),
      controller.signal,
    );
  } catch (error) {
    // What fetch throws may hold the URL with its nonce.
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof OmiError) throw error;
    throw new OmiError('network', { detail: `${origin} gave no answer${reasonOf(error)}.` });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** The error codes of Node.js, such as ECONNREFUSED, are safe to tell. */
function reasonOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return ` (${code})`;
  return cause === undefined ? '' : reasonOf(cause);
}

async function send(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  secret: string,
): Promise<HttpAnswer> {
  // The service never redirects. Whoever does must not get the token.
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { ok, status, headers } = response;
  return { ok, status, headers, body: parseJson((await readText(response)).replaceAll(secret, '')) };
}

async function readText(response: Response): Promise<string> {
  const text = await readAtMost(LARGEST_ANSWER_BYTES, response);
  if (text !== undefined) return new TextDecoder().decode(text);
  throw new OmiError('unexpected-answer', { status: response.status, detail: 'The answer is too large.' });
}

/** The body's bytes; undefined if there are more. */
export async function readAtMost(
  largest: number,
  { body }: Pick<Response, 'body'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return await joined(chunks);
    size += chunk.value.byteLength;
    chunks.push(chunk.value);
    if (size > largest) {
      await reader?.cancel();
      return undefined;
    }
  }
}

/** The JSON of a text: undefined if it is empty, null if it is not JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
