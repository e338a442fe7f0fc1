/** What nobody may learn by looking: it would let them act as the website, the device or the user. */
const secrets = new Set([
  'accesstoken',
  'access_token',
  'assertion',
  'auth',
  'auth_req_id',
  'authorization_header',
  'authreqid',
  'binding',
  'client_assertion',
  'client_secret',
  'dpop',
  'endpoint',
  'id_token',
  'id_token_hint',
  'link',
  'login_hint_token',
  'matchcode',
  'number',
  'p256dh',
  'password',
  'pushtoken',
  'qr',
  'refresh_token',
  'request',
  'secret',
  'token',
  'webpush',
]);

/** The beginning tells two of them apart. */
const nonces = new Set(['nonce', 'confirmation']);

const shownOfNonce = 6;

/** A compact JWS or JWT: evidence, receipts, tokens. */
const signed = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}$/;

const length = (text: string): string => `(${text.length} characters)`;

function redactedText(name: string, text: string, isRequest: boolean): string {
  const key = name.toLowerCase();
  // In an answer it is the code of an error, in a request that of an enrolment.
  if (secrets.has(key) || (key === 'code' && isRequest)) return `hidden ${length(text)}`;
  if (nonces.has(key)) return `${text.slice(0, shownOfNonce)}… ${length(text)}`;
  return signed.test(text) ? `signed ${length(text)}` : text;
}

/**
 * A JSON value without secrets.
 *
 * @param isRequest whether the value was sent to the service
 */
export function redacted(value: unknown, isRequest: boolean, name = ''): unknown {
  if (typeof value === 'string') return redactedText(name, value, isRequest);
  if (Array.isArray(value)) return value.map((one) => redacted(one, isRequest, name));
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' && secrets.has(name.toLowerCase()) ? 'hidden' : value;
  if (secrets.has(name.toLowerCase())) return 'hidden';
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, redacted(member, isRequest, key)]),
  );
}

/** A query or a form without secrets, as its members. */
export const redactedPairs = (pairs: URLSearchParams): Record<string, string> =>
  Object.fromEntries(Array.from(pairs, ([name, value]) => [name, redactedText(name, value, true)]));
