import { randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';
import { connect } from '../../docs/examples/mcp-approval/approval.ts';
import { newNonce, Omi } from '#website';
import type { LocalStack } from '../api/stack.ts';
import { newClient } from './clients.ts';
import { startReceiver } from './receiver.ts';

export const ways = ['CIBA, poll', 'CIBA, ping', 'own API, poll', 'own API, call-back'] as const;
export type Way = (typeof ways)[number];

/** Asks a user, and returns once the approval is known and verified. */
export type Ask = (userId: string) => Promise<void>;

export type Asking = { ask: Ask; close: () => void };

const message = 'Pay 16.00 EUR to Café Zoë?';
const details = [{ type: 'payment', to: 'Café Zoë', amount: '16.00', currency: 'EUR' }];
const nothing = (): void => undefined;

const check = (isApproved: boolean): void => {
  if (!isApproved) throw new Error('It was not approved');
};

async function byPoll({ file }: LocalStack): Promise<Asking> {
  const [{ clientId, clientSecret }] = file.tenants;
  const ask = await connect({ issuer: file.baseUrl, clientId, clientSecret });
  const signal = AbortSignal.timeout(300_000);
  return {
    ask: async (userId) => check((await ask({ userId, message, details, signal })).status === 'approved'),
    close: nothing,
  };
}

async function byPing(stack: LocalStack): Promise<Asking> {
  const receiver = await startReceiver();
  const { clientId, clientSecret } = await newClient(stack, ['--notification-url', receiver.url]);
  const authentication = oidc.ClientSecretBasic(clientSecret);
  const config = await oidc.discovery(new URL(stack.url), clientId, undefined, authentication, {
    // The local stack speaks HTTP. The function is marked as deprecated to stand out.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    execute: [oidc.allowInsecureRequests],
  });
  const ask: Ask = async (userId) => {
    const { auth_req_id } = await oidc.initiateBackchannelAuthentication(config, {
      scope: 'openid',
      login_hint: userId,
      binding_message: message,
      authorization_details: JSON.stringify(details),
      client_notification_token: randomUUID(),
    });
    await receiver.next();
    const grant = 'urn:openid:params:grant-type:ciba';
    const tokens = await oidc.genericGrantRequest(config, grant, { auth_req_id });
    check(tokens.claims()?.sub === userId);
  };
  return { ask, close: receiver.close };
}

const websiteOf = ({ file }: LocalStack, client: { clientId: string; clientSecret: string }) => ({
  baseUrl: file.baseUrl,
  tokenUrl: file.tokenUrl,
  tenantId: file.tenants[0].tenantId,
  ...client,
});

async function byOwnPoll(stack: LocalStack): Promise<Asking> {
  const [{ clientId, clientSecret }] = stack.file.tenants;
  const omi = new Omi(websiteOf(stack, { clientId, clientSecret }));
  return await Promise.resolve({
    ask: async (userId) => check((await omi.confirm({ userId, message, details })).status === 'confirmed'),
    close: nothing,
  });
}

async function byCallback(stack: LocalStack): Promise<Asking> {
  const receiver = await startReceiver();
  const { clientId, clientSecret, callbackSecret } = await newClient(stack, ['--callback-url', receiver.url]);
  const omi = new Omi({ ...websiteOf(stack, { clientId, clientSecret }), callbackSecret });
  const ask: Ask = async (userId) => {
    const asked = { userId, message, details, nonce: newNonce() };
    await omi.send(asked);
    const { data } = await omi.verifyCallback(await receiver.next());
    await omi.verifyEvidence(data, asked);
    check(data.status === 'confirmed');
  };
  return { ask, close: receiver.close };
}

export const start: Record<Way, (stack: LocalStack) => Promise<Asking>> = {
  'CIBA, poll': byPoll,
  'CIBA, ping': byPing,
  'own API, poll': byOwnPoll,
  'own API, call-back': byCallback,
};
