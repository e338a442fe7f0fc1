import { joined } from '../../evidence/src/bytes.ts';
import { unlessAborted } from './abort.ts';
import type { Fail } from './call-error.ts';

/** Far above every valid answer. */
const largestAnswerBytes = 1024 * 1024;

export type HttpRequest = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Whether a browser may answer from its cache. */
  cache?: 'default' | 'no-store';
  credentials?: 'omit';
  /** Until the answer is given up. */
  patienceMs: number;
  signal?: AbortSignal | undefined;
};

/** The body is the text's JSON: undefined if the answer has no content, null if that is not JSON. */
export type HttpAnswer = { ok: boolean; status: number; headers: Headers; text: string; body: unknown };

/** How a package calls, and the errors that it throws. */
export type Http = { fetch: typeof globalThis.fetch; fail: Fail };

/**
 * Sends one request and reads the whole answer.
 *
 * @throws the package's error `network`, `timeout` or `unexpected-answer`; or the signal's reason
 */
export async function exchange(
  { fetch, fail }: Http,
  { url, patienceMs, signal, ...request }: HttpRequest,
): Promise<HttpAnswer> {
  const { origin } = new URL(url);
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(fail('timeout', { detail: `${origin} did not answer in time.` }));
  };
  const abort = (): void => {
    controller.abort(signal?.reason);
  };
  const timer = setTimeout(giveUp, patienceMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  let received: Awaited<ReturnType<typeof send>>;
  try {
    received = await unlessAborted(
      send(fetch, url, { ...request, signal: controller.signal }),
      controller.signal,
    );
  } catch (error) {
    // What fetch throws may hold the URL with its nonce.
    if (controller.signal.aborted) throw controller.signal.reason;
    throw fail('network', { detail: `${origin} did not answer${reasonOf(error)}.` });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  const { bytes, ...answer } = received;
  if (!bytes) throw fail('unexpected-answer', { status: answer.status, detail: 'The answer is too large.' });
  const text = new TextDecoder().decode(bytes);
  return { ...answer, text, body: parseJson(text) };
}

/** The error codes of Node.js, such as ECONNREFUSED, are safe to tell. */
function reasonOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return ` (${code})`;
  return cause === undefined ? '' : reasonOf(cause);
}

async function send(fetch: typeof globalThis.fetch, url: string, init: RequestInit) {
  // The service never redirects. Another host must not get the token.
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { ok, status, headers } = response;
  return { ok, status, headers, bytes: await readAtMost(largestAnswerBytes, response) };
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
