/** Asks users by CIBA, with an OpenID Connect client that knows nothing of this service. */
import { setTimeout as pause } from 'node:timers/promises';
import * as oidc from 'openid-client';
import { type Client, discover } from './connection.ts';
import { decisionIn } from './decision.ts';
import { endOf, notAsked } from './failures.ts';
import { once } from './once.ts';
import type { Answer, Asked, Question } from './question.ts';
import { withdrawalsOf } from './withdrawal.ts';

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
