import { createRoutes, Denied, memoryStore, type Routes, type Session } from '#website';
import { type Intent, testOmi, type TestOmi } from '#testing';

export type Call = { method: string; path: string; status: number; body: string };

const user: Session = { id: 'a-session-of-the-playground', userId: 'anna' };

const message = async (request: Request): Promise<string> => {
  const form = new URLSearchParams(await request.text());
  const amount = Number(form.get('amount'));
  if (!(amount > 0)) throw new Denied('Which amount?');
  return `Pay ${amount.toFixed(2)} € to ${form.get('to') ?? ''}?`;
};

/** A website with its user, in the browser. */
export class Shop {
  readonly #omi: TestOmi;
  readonly #routes: Routes;
  readonly #onCall: (call: Call) => void;

  /** @param path where the elements call the routes */
  constructor(path: string, onCall: (call: Call) => void) {
    this.#omi = testOmi({ users: { anna: 'ignores' } });
    this.#routes = createRoutes(this.#omi, {
      session: () => user,
      message,
      store: memoryStore(),
      path,
      origin: location.origin,
      requestedFrom: () => ({ browser: 'Your browser', place: 'the playground' }),
    });
    this.#onCall = onCall;
  }

  /** What the phone shows, newest. */
  get question(): string {
    return this.#omi.asked.at(-1)?.message ?? '';
  }

  /** The user does it with what is open. */
  answer(intent: Intent): void {
    this.#omi.user(user.userId).will(intent);
  }

  /** Until the next answer. */
  wait(): void {
    this.#omi.user(user.userId).will('ignores');
  }

  async serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const response = await this.#routes(request);
    const body = await response.clone().text();
    this.#onCall({ method: request.method, path: pathname, status: response.status, body });
    return response;
  }

  /** The action itself, as the form sends it. */
  async pay(fields: URLSearchParams): Promise<{ message: string; claims: unknown }> {
    const request = new Request(`${location.origin}/pay`, { method: 'POST', body: fields });
    const { message: paid, confirmation } = await this.#routes.consume(request, user);
    return { message: paid, claims: claimsOf(confirmation.evidence) };
  }
}

/** Calls of the elements reach the shop in this page; all others are as before. */
export function interceptCalls(shop: Shop, path: string): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.href);
    if (url.origin !== location.origin || !url.pathname.startsWith(`${path}/`))
      return await fetch(input, init);
    return await shop.serve(new Request(input instanceof Request ? input : url, init));
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/** The claims of a signed answer, for people. */
function claimsOf(evidence: string): unknown {
  const [, claims = ''] = evidence.split('.');
  const text = atob(claims.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
}
