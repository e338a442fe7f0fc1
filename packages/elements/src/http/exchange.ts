/** A refusal of the website's server, or no answer at all. */
export type Refusal = {
  /** 0: there was no answer. */
  status: number;
  code: string;
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
};

export type Answer<Body> = { body: Body; refusal?: undefined } | { body?: undefined; refusal: Refusal };

type Call = {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  /** Text is JSON. */
  body?: URLSearchParams | string;
  /** The browser finishes the call although the page is closed. */
  keepalive?: boolean;
};

/** A server that takes longer counts as unreachable. */
const longestMs = 15_000;

/**
 * Calls the website's own server. Never throws: refusals are answers, too.
 *
 * @param isRight checks that the body of an accepted call has the required members
 */
export async function exchange<Body>(
  { url, ...call }: Call,
  isRight: (body: Partial<Body>) => boolean = () => true,
): Promise<Answer<Body>> {
  try {
    const response = await fetch(url, {
      ...call,
      cache: 'no-store',
      // An expired session may be answered by a redirect to a sign-in page. That page is not an answer.
      redirect: 'manual',
      headers: {
        // A foreign form cannot send it.
        'Omi-Page': '1',
        ...(typeof call.body === 'string' && { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(longestMs),
    });
    const content = Object(await response.json().catch(() => 0)) as Partial<Body>;
    return response.ok && isRight(content)
      ? { body: content as Body }
      : { refusal: refusalOf(response, content) };
  } catch {
    return { refusal: { status: 0, code: 'network' } };
  }
}

function refusalOf({ ok, type, status, headers }: Response, content: Partial<Refusal>): Refusal {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  const { code, detail } = content;
  return {
    status: type === 'opaqueredirect' ? 401 : status,
    code: ok || code === undefined ? 'unexpected-answer' : code,
    detail,
    retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
  };
}
