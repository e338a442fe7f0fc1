import { post, type OutboundAnswer } from './post.ts';
import { NotPublic } from './public-lookup.ts';
import { pauseOf } from './retry-after.ts';
import { seconds } from '../kernel/time.ts';

export type CallContent = { headers: Record<string, string>; body: string };

/** `demanded`: milliseconds that the receiver wants not to be called. `isGone`: it wants no more calls. */
export type CallResult =
  | { succeeded: true; reason: string; isFast: boolean }
  | { succeeded: false; reason: string; demanded: number; isGone: boolean };

export type CallLimits = {
  /** Milliseconds for a call. */
  longestMs: number;
  /** Milliseconds from which on a receiver counts as slow. */
  slowMs: number;
};

export const defaultLimits: CallLimits = { longestMs: 10 * seconds, slowMs: 2 * seconds };

/** No receiver may hold back its callbacks for longer. */
const longestDemandMs = 24 * 60 * 60 * seconds;

function judge({ status, retryAfter }: OutboundAnswer, isFast: boolean): CallResult {
  const reason = `It answered with HTTP ${status}.`;
  if (status >= 200 && status <= 299) return { succeeded: true, reason, isFast };
  const demanded = Math.min(longestDemandMs, pauseOf(retryAfter));
  return { succeeded: false, reason, demanded, isGone: status === 410 };
}

/** Never with the error's message, which may quote the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof NotPublic) return 'Its host is not on the public internet.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,64}$/.test(code) ? `The connection failed: ${code}.` : 'The connection failed.';
}

/** Calls receivers, within a limit of time. */
export class ReceiverCaller {
  readonly #allowsLoopback: boolean;
  readonly #limits: CallLimits;

  constructor(allowsLoopback: boolean, limits = defaultLimits) {
    this.#allowsLoopback = allowsLoopback;
    this.#limits = limits;
  }

  /**
   * Never throws.
   *
   * @param becameSlow called once while the call is still under way
   */
  async call(url: string, content: CallContent, becameSlow: () => void): Promise<CallResult> {
    const { longestMs, slowMs } = this.#limits;
    const begun = performance.now();
    const signal = AbortSignal.timeout(longestMs);
    const timer = setTimeout(becameSlow, slowMs);
    try {
      const answer = await this.#post(url, content, signal);
      return judge(answer, performance.now() - begun < slowMs);
    } catch (error) {
      const reason = signal.aborted ? `It did not answer within ${longestMs / seconds} s.` : reasonOf(error);
      return { succeeded: false, reason, demanded: 0, isGone: false };
    } finally {
      clearTimeout(timer);
    }
  }

  async #post(
    url: string,
    { headers, body: text }: CallContent,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const body = Buffer.from(text);
    return await post({
      url: new URL(url),
      headers: { ...headers, 'content-length': String(body.length) },
      body,
      signal,
      allowsLoopback: this.#allowsLoopback,
    });
  }
}
