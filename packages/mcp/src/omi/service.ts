/** Asks users by CIBA, with an OpenID Connect client that knows nothing of this service. */
import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import { type Client, discover } from './connection.ts';
import { once } from './once.ts';
import { type Answer, type Asked, type Question, NotAsked } from './question.ts';
import { withdrawalsOf } from './withdrawal.ts';
import { ResponseBodyError, type IDToken } from 'openid-client';
import { isDeepStrictEqual } from 'node:util';
import { decodeJwt } from 'jose';

type Tokens = { access_token: string; authorization_details?: unknown; claims(): IDToken | undefined };

const seconds = 1000;

/** As it was sent: members without a value are not. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The id that the device signed. */
function challengeIdIn({ omi_evidence: evidence }: IDToken): string | undefined {
  const id = typeof evidence === 'string' ? decodeJwt(evidence)['challengeId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Checks that this user approved exactly this question. */
function decisionIn(tokens: Tokens, { userId, message, details }: Question): Answer {
  const claims = tokens.claims();
  const reference = claims && challengeIdIn(claims);
  const isSame =
    claims?.sub === userId && isDeepStrictEqual(asJson(tokens.authorization_details), asJson(details));
  if (!isSame || reference === undefined || claims.auth_time === undefined)
    return { status: 'refused', explanation: 'Something else was approved.' };
  const approvedAt = new Date(claims.auth_time * seconds).toISOString();
  const decision = { approvedBy: userId, approvedAt, message, details, reference };
  return { status: 'approved', decision, token: tokens.access_token };
}

const unexplained = (code: string): string => `The question was not accepted (${code}).`;

const refusals: Record<string, string> = {
  temporarily_unavailable: 'Another question is open, or there were too many. Ask later.',
  unknown_user_id: 'The user has no device that can approve.',
};

/** Only what the model may know: nothing of the device. */
const notAsked = ({ error }: ResponseBodyError): NotAsked =>
  new NotAsked(refusals[error] ?? unexplained(error));

const ends: Record<string, Answer> = {
  // No difference between a denial and a withdrawal.
  access_denied: { status: 'refused', explanation: 'The user did not approve. Do not ask again.' },
  expired_token: { status: 'expired', explanation: 'The user did not answer in time.' },
  invalid_grant: {
    status: 'unknown',
    explanation: 'The answer was lost, or fetched before. Nothing was carried out with it.',
  },
};

/** @returns undefined if the same request may succeed later */
function endOf(error: unknown): Answer | undefined {
  if (!(error instanceof ResponseBodyError) || error.status >= 500 || error.status === 429) return undefined;
  return ends[error.error] ?? { status: 'unavailable', explanation: unexplained(error.error) };
}

export type Service = {
  /** @throws {NotAsked} */
  ask: (question: Question) => Promise<Asked>;
  /** Waits for the answer. Faults of the network are waited out. @throws the reason of the signal */
  answer: (asked: Asked, question: Question, signal: AbortSignal) => Promise<Answer>;
  /** @returns whether this client can withdraw at all */
  withdraw: (authReqId: string) => Promise<boolean>;
};

export type ServiceOptions = { client: Client; lifetimeSeconds: number };

const defaultIntervalSeconds = 5;
const pauseAfterFaultMs = 5_000;

/** The service says when a question has expired, so no clock of this machine counts. */
const withoutEnd = Number.MAX_SAFE_INTEGER;

export function createService({ client, lifetimeSeconds }: ServiceOptions): Service {
  const connected = once(async () => await discover(client));

  async function ask({ userId, message, details }: Question): Promise<Asked> {
    const parameters = {
      scope: 'openid',
      login_hint: userId,
      binding_message: message,
      authorization_details: JSON.stringify(details),
      requested_expiry: String(lifetimeSeconds),
      // The user sees that an agent asks, and not a browser.
      request_context: JSON.stringify({ browser: 'AI agent' }),
    };
    try {
      const asked = await oidc.initiateBackchannelAuthentication(await connected(), parameters);
      return { authReqId: asked.auth_req_id, intervalSeconds: asked.interval ?? defaultIntervalSeconds };
    } catch (error) {
      throw error instanceof oidc.ResponseBodyError ? notAsked(error) : error;
    }
  }

  async function poll({ authReqId, intervalSeconds }: Asked, question: Question, signal: AbortSignal) {
    const asked = { auth_req_id: authReqId, expires_in: withoutEnd, interval: intervalSeconds };
    const config = await connected();
    return decisionIn(
      await oidc.pollBackchannelAuthenticationGrant(config, asked, undefined, { signal }),
      question,
    );
  }

  async function answer(asked: Asked, question: Question, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      try {
        return await poll(asked, question, signal);
      } catch (error) {
        signal.throwIfAborted();
        const end = endOf(error);
        if (end !== undefined) return end;
        await pause(pauseAfterFaultMs, undefined, { signal });
      }
    }
  }

  return { ask, answer, withdraw: withdrawalsOf(client) };
}
