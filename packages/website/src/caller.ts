import { unlessAborted } from '../../http/src/abort.ts';
import type { TokenSource } from '../../http/src/access-tokens.ts';
import { exchange, type HttpAnswer } from '../../http/src/exchange.ts';
import { failureOf } from './failure.ts';
import { fail } from './omi-error.ts';
import type { Operation } from './operations.ts';
import { withRetries } from '../../http/src/retries.ts';

/** A repetition brings the answer sooner than more patience. */
const patienceMs = 10_000;
/** Longer than the 30 s within which the service answers. */
const patienceWithoutRepetitionMs = 35_000;

export type CallOptions = {
  /** Ends the call at once. */
  signal?: AbortSignal | undefined;
  /** Ends the repetitions. A request that was sent is still awaited. */
  stop?: AbortSignal | undefined;
  /** Whether lost answers are asked for again. */
  repeat?: boolean | undefined;
  /** Called before each request. */
  onSending?: () => void;
};

type Surroundings = { baseUrl: string; fetch: typeof globalThis.fetch; tokens: TokenSource };

/** Calls the API with an access token. */
export class Caller {
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** @throws {OmiError}; or the reason of a signal that aborted before the request was sent */
  async call<T>(operation: Operation<T>, options: CallOptions = {}): Promise<T> {
    const { repeatable, done } = operation;
    if (options.repeat === false) return await this.#attempt(operation, options);
    if (!repeatable) {
      // What can be repeated is the request of the token.
      await withRetries(async () => await this.#token(operation, options), { stop: options.signal });
      return await this.#attempt(operation, options);
    }
    const stop = options.stop ?? options.signal;
    // Only calls whose answer has no content have a code for what was done before.
    return (await withRetries(async () => await this.#attempt(operation, options), { done, stop })) as T;
  }

  async #attempt<T>(operation: Operation<T>, options: CallOptions): Promise<T> {
    const { answer, token } = await this.#sendWithToken(operation, options);
    if (!answer.ok) throw failureOf(answer, token);
    return operation.read(answer);
  }

  async #sendWithToken<T>(
    operation: Operation<T>,
    options: CallOptions,
  ): Promise<{ answer: HttpAnswer; token: string }> {
    const { tokens } = this.#surroundings;
    const token = await this.#token(operation, options);
    const answer = await this.#send(operation, options, token);
    if (answer.status !== 401) return { answer, token };
    tokens.discard(token);
    const newToken = await this.#token(operation, options);
    return newToken === token
      ? { answer, token }
      : { answer: await this.#send(operation, options, newToken), token: newToken };
  }

  async #token<T>({ scopes }: Operation<T>, { signal }: CallOptions): Promise<string> {
    return await unlessAborted(this.#surroundings.tokens.token(...scopes), signal);
  }

  async #send<T>(
    { method, path, body, repeatable }: Operation<T>,
    { signal, stop, onSending }: CallOptions,
    token: string,
  ): Promise<HttpAnswer> {
    const { baseUrl, fetch } = this.#surroundings;
    stop?.throwIfAborted();
    onSending?.();
    return await exchange(
      { fetch, fail },
      {
        method,
        url: `${baseUrl}${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        patienceMs: repeatable ? patienceMs : patienceWithoutRepetitionMs,
        signal,
      },
    );
  }
}
