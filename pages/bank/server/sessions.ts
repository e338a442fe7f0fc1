import { createHash, randomBytes } from 'node:crypto';
import type { Store } from '#website';

export type BankSession = {
  /** The secret of the cookie. */
  id: string;
  userId: string;
  /** Milliseconds since 1970. */
  signedInAt: number;
};

type Options = { store: Store; isSecure: boolean; now: () => number };

const lifetimeSeconds = 8 * 3600;

/** Who is signed in, by a cookie. The store knows only the hash of its secret. */
export class Sessions {
  readonly #options: Options;
  readonly #cookie: string;

  constructor(options: Options) {
    this.#options = options;
    // Browsers take the prefix only with `Secure`, and then from this host alone.
    this.#cookie = options.isSecure ? '__Host-bank-session' : 'bank-session';
  }

  async find(request: Request): Promise<BankSession | undefined> {
    const id = this.#idOf(request);
    if (id === undefined) return undefined;
    const text = await this.#options.store.get(keyOf(id));
    return typeof text === 'string' ? { id, ...(JSON.parse(text) as Omit<BankSession, 'id'>) } : undefined;
  }

  /** A new id, whatever the browser sent: nobody can give a user an id that he knows. */
  async begin(userId: string): Promise<{ session: BankSession; cookie: string }> {
    const { store, now } = this.#options;
    const session = { id: newId(), userId, signedInAt: now() };
    const { id, ...value } = session;
    await store.put(keyOf(id), JSON.stringify(value), { ttlSeconds: lifetimeSeconds });
    return { session, cookie: this.#setCookie(id, lifetimeSeconds) };
  }

  /** @returns the cookie that ends it in the browser */
  async end({ id }: BankSession): Promise<string> {
    await this.#options.store.take(keyOf(id));
    return this.endedCookie();
  }

  endedCookie(): string {
    return this.#setCookie('', 0);
  }

  #idOf(request: Request): string | undefined {
    const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value = ''] = pairs.find(([name]) => name === this.#cookie) ?? [];
    return /^[\w-]{43}$/.test(value) ? value : undefined;
  }

  #setCookie(value: string, seconds: number): string {
    const secure = this.#options.isSecure ? '; Secure' : '';
    return `${this.#cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

const newId = (): string => randomBytes(32).toString('base64url');

const keyOf = (id: string): string => `session:${createHash('sha256').update(id).digest('base64url')}`;
