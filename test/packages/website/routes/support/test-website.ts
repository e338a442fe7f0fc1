import {
  createRoutes,
  Denied,
  memoryStore,
  Omi,
  type RoutesOptions,
  type Session,
  type Store,
} from '#website';
import type { TestStack } from '../../../../support/stack.ts';
import { Visitor } from './visitor.ts';

export const websiteOrigin = 'https://bank.example';

type Fetch = typeof globalThis.fetch;
type Input = Parameters<Fetch>[0];

export type TestWebsiteOptions = Partial<RoutesOptions> & {
  callbackSecret?: string;
  /** Replaces answers of the service. */
  through?: (fetch: Fetch, input: Input, init: RequestInit) => Promise<Response>;
};

const pathOf = (input: Input): string => new URL(input instanceof Request ? input.url : input).pathname;

export const isPoll = (input: Input): boolean => pathOf(input) === '/omi/push/confirmation';

/** What the website asks for an action. */
async function message(request: Request, session: Session) {
  const { action = 'pay', amount, expiresIn } = await fieldsOf(request);
  if (action === 'forbidden') return new Denied('Your account is locked.');
  if (action === 'add-device')
    return { message: `Add a device of ${session.userId}?`, purpose: action } as const;
  const question = `Pay ${amount ?? '0'} €?`;
  return expiresIn === undefined ? question : { message: question, expiresIn: Number(expiresIn) };
}

async function fieldsOf(request: Request): Promise<Record<string, string | undefined>> {
  if (request.headers.get('content-type') === 'application/json')
    return (await request.json()) as Record<string, string>;
  return Object.fromEntries(new URLSearchParams(await request.text()));
}

/** Signed in are all who say so. */
function session({ headers }: Request): Session | undefined {
  const [id = '', userId] = (headers.get('cookie') ?? '').split('/');
  return userId === undefined ? undefined : { id, userId };
}

/** A website with routes, its calls to the service, and a clock that tests may move. */
export class TestWebsite {
  /** `GET /omi/push/confirmation` and so on. */
  readonly calls: string[] = [];
  readonly errors: unknown[] = [];
  /** Everything that the store was told, as `[key, value]`. */
  readonly stored: [key: string, value: string][] = [];
  /** The keys that were read. */
  readonly read: string[] = [];
  readonly omi: Omi;
  readonly routes;
  /** Milliseconds that its clock is ahead. */
  ahead = 0;
  readonly now = (): number => Date.now() + this.ahead;

  readonly #stack: TestStack;
  readonly #store: Store;

  constructor(stack: TestStack, { callbackSecret, through, ...options }: TestWebsiteOptions = {}) {
    this.#stack = stack;
    this.#store = options.store ?? memoryStore({ now: this.now });
    const fetch: Fetch = async (input, init = {}) => {
      const pathname = pathOf(input);
      if (pathname.startsWith('/omi/')) this.calls.push(`${init.method ?? 'GET'} ${pathname}`);
      // Looked up at each call: the suite's own fetch compares every answer with the OpenAPI document.
      const real: Fetch = async (...call) => await globalThis.fetch(...call);
      return await (through ? through(real, input, init) : real(input, init));
    };
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const { now } = this;
    this.omi = new Omi({ baseUrl, tokenUrl, ...tenants[0], fetch, now, callbackSecret });
    this.routes = createRoutes(this.omi, {
      session,
      message,
      now,
      onError: (error) => this.errors.push(error),
      ...options,
      store: this.#watched(this.#store),
    });
  }

  visitor(userId: string, sessionId: string = crypto.randomUUID()): Visitor {
    return new Visitor(this.routes, { id: sessionId, userId });
  }

  /** Another server of the same website: it has the same store. */
  another(options: TestWebsiteOptions = {}): TestWebsite {
    return new TestWebsite(this.#stack, { ...options, store: this.#store, now: this.now });
  }

  #watched(store: Store): Store {
    return {
      ...store,
      put: async (key, value, options) => {
        this.stored.push([key, value]);
        await store.put(key, value, options);
      },
      get: async (key) => {
        this.read.push(key);
        return await store.get(key);
      },
      take: async (key) => await store.take(key),
    };
  }

  polls(): number {
    return this.calls.filter((call) => call === 'GET /omi/push/confirmation').length;
  }

  /** The nonces of what was asked. */
  nonces(): string[] {
    return this.stored.flatMap(([, value]) => {
      const { nonce } = JSON.parse(value) as { nonce?: string };
      return nonce === undefined ? [] : [nonce];
    });
  }
}
