/** What stands for something secret. */
const hidden = '…';

const largestTextCharacters = 16 * 1024;

/** A call of the website to OMI, as people may see it. */
export type Call = {
  at: string;
  method: string;
  path: string;
  request?: unknown;
  status: number;
  answer?: unknown;
  ms: number;
};

/** A call as it was: `url` without the base URL, bodies as texts. No header is ever looked at, so no token is in it. */
export type RawCall = {
  at: number;
  method: string;
  path: string;
  request: string | undefined;
  status: number;
  answer: string;
  ms: number;
};

const final = ['confirmed', 'denied', 'expired', 'cancelled', 'failed'];

/**
 * The nonce is what a confirmation is asked by, so it is shown when the confirmation has ended, and not before. Then the page
 * needs it: the device signed a hash of it. The one-time code of an enrolment is never shown.
 */
export function redacted({ at, method, path, request, status, answer, ms }: RawCall): Call {
  const answered = parsed(answer);
  const isFinal = final.includes(String(membersOf(answered)['status']));
  const [asked, answeredSafely] = [parsed(request), answered].map((value) => hide(value, isFinal));
  return {
    at: new Date(at).toISOString(),
    method,
    path: isFinal ? path : path.replace(/\b(nonce|confirmation)=[^&]*/g, `$1=${hidden}`),
    ...(asked !== undefined && { request: asked }),
    status,
    ...(answeredSafely !== undefined && { answer: answeredSafely }),
    ms,
  };
}

const membersOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;

function hide(value: unknown, isFinal: boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'nonce' && !isFinal) return [name, hidden];
      if (name === 'confirmation') return [name, hidden];
      if (name === 'qr') return [name, String(member).replace(/\bcode=[^&]*/, `code=${hidden}`)];
      return [name, member];
    }),
  );
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '' || text.length > largestTextCharacters) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
