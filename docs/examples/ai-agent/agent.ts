/** An agent of the AI SDK whose payments wait until the user approves them on the phone, by @auth0/ai. */
import { createRequire } from 'node:module';
import type * as AsyncAuthorization from '@auth0/ai/AsyncAuthorization';
import type * as Stores from '@auth0/ai/stores';
import { generateText, type LanguageModel, stepCountIs, tool, type ToolCallOptions } from 'ai';
import { detailOf, messageOf, type Payment, paymentSchema } from '../approved-payments/payment.ts';

// Node.js cannot load the ES modules of @auth0/ai 5.1.1.
const require = createRequire(import.meta.url);
const { AsyncAuthorizerBase, getAsyncAuthorizationCredentials } =
  require('@auth0/ai/AsyncAuthorization') as typeof AsyncAuthorization;
const { MemoryStore } = require('@auth0/ai/stores') as typeof Stores;

export type AgentOptions = {
  model: LanguageModel;
  /** For whom the agent works: from the session of your application, never from the model. */
  userId: string;
  /** The service's base URL, in place of a domain of Auth0. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  paymentsUrl: string;
};

/** Seconds in which the user may answer. */
const lifetimeSeconds = 300;

export function createAgent({ model, userId, issuer, clientId, clientSecret, paymentsUrl }: AgentOptions) {
  const authorizer = new AsyncAuthorizerBase<[Payment, ToolCallOptions]>(
    { domain: new URL(issuer).host, clientId, clientSecret },
    {
      scopes: ['openid'],
      userID: userId,
      bindingMessage: messageOf,
      authorizationDetails: (payment) => [detailOf(payment)],
      requestedExpiry: lifetimeSeconds,
      // Each call of the tool needs an approval of its own.
      credentialsContext: 'tool-call',
      onAuthorizationRequest: async (_, approved) => {
        await approved;
      },
      onUnauthorized: (error) => `Not paid: ${error.message}`,
      store: new MemoryStore(),
    },
  );

  /** The tool has the token, the model never sees it. */
  const pay = async (payment: Payment): Promise<string> => {
    const { accessToken = '' } = getAsyncAuthorizationCredentials() ?? {};
    const response = await fetch(`${paymentsUrl}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(payment),
    });
    return response.ok ? 'Paid.' : `Not paid: HTTP ${response.status}.`;
  };

  const tools = {
    pay: tool({
      description:
        'Pays somebody. The user must approve the payment on the phone first, which takes a while.',
      inputSchema: paymentSchema,
      execute: authorizer.protect(
        (_, { toolCallId }) => ({ threadID: userId, toolName: 'pay', toolCallID: toolCallId }),
        pay,
      ),
    }),
  };
  return async (prompt: string) => await generateText({ model, tools, stopWhen: stepCountIs(5), prompt });
}
