/** A refusal of the website's server, or no answer at all. */
export type Refusal = {
  /** 0: there was no answer. */
  status: number;
  code: string;
  detail?: string;
  retryAfterMs?: number;
};

export type Answer<Value> = { value: Value; refusal?: undefined } | { value?: undefined; refusal: Refusal };

type Call = {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as it is: the browser names the type of a form's fields. */
  body?: URLSearchParams | string;
  /** The browser finishes the call although the page is closed. */
  keepalive?: boolean;
};

const UNEXPECTED = 'unexpected-answer';

/** A server that takes longer counts as unreachable. */
const LONGEST_MS = 15_000;

/**
 * Calls the website's own server. Never throws: refusals are answers, too.
 *
 * @param read reads what an accepted call answers; undefined: it has another form than expected
 */
export async function exchange<Value>(
  call: Call,
  read: (body: unknown) => Value | undefined,
): Promise<Answer<Value>> {
  const { url, method = 'GET', body, keepalive = false } = call;
  try {
    const response = await fetch(url, {
      method,
      keepalive,
      cache: 'no-store',
      // An expired session may be answered by a redirect to a sign-in page. That page is not an answer.
      redirect: 'manual',
      headers: {
        // A foreign form cannot send it.
        'Omi-Page': '1',
        Accept: 'application/json',
        ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const content: unknown = await response.json().catch(() => undefined);
    if (!response.ok) return { refusal: refusalOf(response, content) };
    const value = read(content);
    return value === undefined ? { refusal: { status: 502, code: UNEXPECTED } } : { value };
  } catch {
    return { refusal: { status: 0, code: 'network' } };
  }
}

function refusalOf({ type, status, headers }: Response, content: unknown): Refusal {
  if (type === 'opaqueredirect') return { status: 401, code: 'redirected' };
  const { code, detail } = Object(content) as { code?: unknown; detail?: unknown };
  const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10);
  return {
    status,
    code: typeof code === 'string' ? code : UNEXPECTED,
    ...(typeof detail === 'string' && { detail }),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1_000 }),
  };
}
