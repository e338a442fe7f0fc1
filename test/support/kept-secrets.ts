import { afterAll, beforeAll } from '@jest/globals';

/** Shorter ones are found in any text. */
const shortestSecret = 12;

/** Members of bodies, and claims, that no log may hold. An answer's `code` and `message` may be those of a refusal. */
const sent = ['nonce', 'confirmation', 'message', 'pushToken', 'code', 'endpoint', 'auth', 'accountLabel'];
const received = ['qr', 'access_token', 'evidence', 'matchCode', 'auth_req_id', 'id_token'];

/** Parameters of OAuth clients. */
const inForms = [
  'client_secret',
  'client_assertion',
  'auth_req_id',
  'binding_message',
  'client_notification_token',
];

type Secrets = Set<string>;

function add(secrets: Secrets, value: unknown): void {
  if (typeof value === 'string' && value.length >= shortestSecret) secrets.add(value);
}

function addMembers(secrets: Secrets, names: readonly string[], value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (names.includes(name)) add(secrets, member);
    addMembers(secrets, names, member);
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A JWS, and what it says: a push token is in the claims of one. */
function addJws(secrets: Secrets, text: string): void {
  const [, claims] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(text) ?? [];
  if (claims === undefined) return;
  add(secrets, text);
  addMembers(secrets, sent, parsed(Buffer.from(claims, 'base64url').toString()));
}

function addRequest(secrets: Secrets, url: string, init: RequestInit = {}): void {
  for (const name of ['nonce', 'confirmation']) add(secrets, new URL(url).searchParams.get(name));
  const authorization = new Headers(init.headers).get('authorization')?.replace(/^\S+ /, '') ?? '';
  add(secrets, authorization);
  addJws(secrets, authorization);
  const body = init.body instanceof Uint8Array ? Buffer.from(init.body).toString() : '';
  addJws(secrets, body);
  addMembers(secrets, sent, parsed(body));
  const form = new URLSearchParams(body);
  for (const name of inForms) for (const value of form.getAll(name)) add(secrets, value);
}

/** As it stands, and as JSON writes it. */
const spellings = (secret: string): string[] => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];

/**
 * Remembers every token, nonce, message, label, push token and signed text that the tests of a file send or get.
 *
 * @returns those that this log has
 */
export function watchSecrets(): (log: string) => string[] {
  const { fetch } = globalThis;
  const secrets: Secrets = new Set();

  beforeAll(() => {
    const before = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      addRequest(secrets, url, init);
      const response = await before(input, init);
      addMembers(secrets, received, parsed(await response.clone().text()));
      return response;
    };
  });
  afterAll(() => {
    globalThis.fetch = fetch;
  });
  return (log) => secretsIn(log, secrets);
}

/** Reads the log once, whatever the number of secrets: a fuzzed service has thousands, and megabytes of log. */
function secretsIn(log: string, secrets: Secrets): string[] {
  const texts = [...secrets].flatMap((secret) => spellings(secret).map((text) => ({ secret, text })));
  const byBeginning = Map.groupBy(texts, ({ text }) => text.slice(0, shortestSecret));
  const found = new Set<string>();
  for (let place = 0; place + shortestSecret <= log.length; place += 1)
    for (const { secret, text } of byBeginning.get(log.slice(place, place + shortestSecret)) ?? [])
      if (log.startsWith(text, place)) found.add(secret);
  return [...found];
}
