/** `oidc-provider` with CIBA in poll mode and its own in-memory adapter. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { cibaClient, cibaGrant } from '../polls.ts';
import { announce } from '../../stack/server.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An operator must configure how requests reach users. Here every user is known, and none is asked. */
const ciba = {
  enabled: true,
  deliveryModes: ['poll'],
  processLoginHint: (_: unknown, loginHint: string) => loginHint,
  validateRequestContext: () => undefined,
  validateBindingMessage: () => undefined,
  verifyUserCode: () => undefined,
  triggerAuthenticationDevice: () => undefined,
};

const configuration = {
  clients: [
    {
      client_id: cibaClient.id,
      client_secret: cibaClient.secret,
      grant_types: [cibaGrant],
      response_types: [],
      redirect_uris: [],
      scope: 'openid',
      backchannel_token_delivery_mode: 'poll',
    },
  ],
  clientAuthMethods: ['client_secret_basic'],
  features: { ciba, devInteractions: { enabled: false } },
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  jwks: { keys: [privateKey.export({ format: 'jwk' })] },
  ttl: { BackchannelAuthenticationRequest: 3_600 },
};

/** The declared types cover only the part that the local issuer uses. */
const createProvider = (issuer: string): Provider => new Provider(issuer, configuration);

let handler: RequestListener = (_, response) => response.writeHead(503).end();
const server = createServer((request, response) => handler(request, response));
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(url);
  provider.silent = true;
  handler = provider.callback();
  announce(url);
});
