import { setTimeout as wait } from 'node:timers/promises';
import { type OutboundAnswer, type OutboundRequest, post } from '../../outbound/post.ts';
import { NotPublic } from '../../outbound/public-lookup.ts';
import { pauseOf } from '../../outbound/retry-after.ts';
import { isAllowedEndpoint, type PushServices } from '../push-services.ts';
import type { Subscription } from '../subscription.ts';
import type { PushContent } from './push-payload.ts';
import { faultOf, type PushFault } from './push-fault.ts';
import type { VapidSigner } from './vapid-signer.ts';
import { webPushMessage } from './web-push-message.ts';

/** What is wrong with a push that a push service refuses; each needs another action of the operator. */
type PushRefusalName =
  /** The subscription was made with another VAPID key: the device must open its app. */
  | 'PushKeyRefused'
  /** Apple's does not take the contact, or this machine's clock is wrong. */
  | 'PushContactRefused'
  /** The signature was not understood. */
  | 'PushSignatureRefused'
  | 'PushServiceError';

/** Apple's `VapidPkHashMismatch`; Google's "the VAPID credentials … do not correspond to the credentials used to create …". */
const otherKey = /VapidPkHashMismatch|do not correspond|another key/;

function nameOf(status: number, body: string): PushRefusalName {
  if ((status === 400 || status === 403) && otherKey.test(body)) return 'PushKeyRefused';
  if (status === 403 && body.includes('BadJwtToken')) return 'PushContactRefused';
  return status === 401 || status === 403 ? 'PushSignatureRefused' : 'PushServiceError';
}

/** Only a word is kept: a sentence could quote the endpoint. */
const reasonIn = (body: string): string | undefined =>
  /"(?:reason|error)"\s*:\s*"(?<word>[A-Za-z]{1,40})"/.exec(body)?.groups?.['word'];

/** The fault of an answer that is no success (RFC 8030, section 8.4; RFC 8292, section 4.2). */
function refusalOf({ status, body = '' }: OutboundAnswer): PushFault {
  const reason = reasonIn(body);
  return { name: nameOf(status, body), code: String(status), ...(reason !== undefined && { reason }) };
}

/** `unreachable`: the push service no longer knows the subscription. */
export type WebPushOutcome = { delivery: 'sent' | 'unreachable' } | { delivery: 'failed'; fault: PushFault };

export type WebPushOptions = {
  services: PushServices;
  signer: VapidSigner;
  /** The web app's address, without a final slash. */
  appUrl: string;
};

/** Milliseconds for a push with all its attempts, and for one attempt. The website waits for the answer. */
const limitMs = 3_000;
const attemptLimitMs = 1_400;
/** Milliseconds before a further attempt. */
const pausesMs = [100, 300, 900];

/** `pauseMs`: before a further attempt that the push service demands. */
type Attempt = { outcome: WebPushOutcome; isFinal: boolean; pauseMs?: number };

const failed = (fault: PushFault, isFinal: boolean, pauseMs = 0): Attempt => ({
  outcome: { delivery: 'failed', fault },
  isFinal,
  pauseMs,
});

/** What the answer of a push service means (RFC 8030, section 5; RFC 8292, section 4.2). */
function judge(answer: OutboundAnswer): Attempt {
  const { status, retryAfter } = answer;
  if (status >= 200 && status <= 204) return { outcome: { delivery: 'sent' }, isFinal: true };
  if (status === 404 || status === 410) return { outcome: { delivery: 'unreachable' }, isFinal: true };
  const isFinal = status !== 429 && status < 500;
  return failed(refusalOf(answer), isFinal, pauseOf(retryAfter));
}

/** Sends pushes to the push services of browsers. */
export class WebPushClient {
  readonly #options: WebPushOptions;

  constructor(options: WebPushOptions) {
    this.#options = options;
  }

  /**
   * Never throws: the result is part of the confirmation. A failed attempt is repeated, even if the push service may have
   * accepted it: the second push replaces the first one by its topic and tag. No attempt comes earlier than the push service
   * allows; if that is too late for the website, the push has failed.
   */
  async send(subscription: Subscription, content: PushContent, now = Date.now()): Promise<WebPushOutcome> {
    try {
      return await this.#deliver(await this.#requestOf(subscription, content, now));
    } catch (error) {
      return { delivery: 'failed', fault: faultOf(error) };
    }
  }

  async #requestOf(subscription: Subscription, content: PushContent, now: number) {
    const { services, signer, appUrl } = this.#options;
    // The stage may have removed a host since the device sent its subscription.
    if (!isAllowedEndpoint(subscription.endpoint, services))
      throw new NotPublic('The push service is not allowed.');
    const url = new URL(subscription.endpoint);
    const [authorization, { headers, body }] = await Promise.all([
      signer.authorizationFor(url.origin, now),
      webPushMessage(subscription, content, { appUrl, now }),
    ]);
    return {
      url,
      headers: { ...headers, authorization },
      body,
      localOrigin: services.localOrigin,
      excerptsRefusals: true,
    };
  }

  async #deliver(request: Omit<OutboundRequest, 'signal'>): Promise<WebPushOutcome> {
    const end = Date.now() + limitMs;
    for (const usual of pausesMs) {
      const {
        outcome,
        isFinal,
        pauseMs = 0,
      } = await attempt(request, Math.min(attemptLimitMs, end - Date.now()));
      const next = Math.max(usual, pauseMs);
      if (isFinal || Date.now() + next >= end) return outcome;
      await wait(next);
    }
    return (await attempt(request, end - Date.now())).outcome;
  }
}

async function attempt(request: Omit<OutboundRequest, 'signal'>, milliseconds: number): Promise<Attempt> {
  try {
    return judge(await post({ ...request, signal: AbortSignal.timeout(Math.max(1, milliseconds)) }));
  } catch (error) {
    return failed(faultOf(error), error instanceof NotPublic);
  }
}
