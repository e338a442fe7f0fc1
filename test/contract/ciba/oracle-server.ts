/** `oidc-provider` with a client that has a secret, one that signs, and one user. They are the program's argument. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { announce } from '../../../tools/bench/stack/server.ts';
import { cibaGrant } from '../../../tools/bench/api/polls.ts';

type Clients = {
  secret: { client_id: string; client_secret: string };
  signing: { clientId: string; key: object };
  userId: string;
};

const { secret, signing, userId } = JSON.parse(process.argv[2] ?? '') as Clients;

const common = {
  ...{ grant_types: [cibaGrant], response_types: [], redirect_uris: [], scope: 'openid' },
  backchannel_token_delivery_mode: 'poll',
};
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ciba = {
  enabled: true,
  deliveryModes: ['poll'],
  processLoginHint: (_: unknown, hint: string) => (hint === userId ? hint : undefined),
  validateRequestContext: () => undefined,
  validateBindingMessage: () => undefined,
  verifyUserCode: () => undefined,
  triggerAuthenticationDevice: () => undefined,
};
const configuration = {
  clients: [
    { ...common, ...secret, token_endpoint_auth_method: 'client_secret_post' },
    {
      ...common,
      client_id: signing.clientId,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [signing.key] },
    },
  ],
  clientAuthMethods: ['client_secret_post', 'private_key_jwt'],
  features: { ciba, requestObjects: { enabled: true }, devInteractions: { enabled: false } },
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  jwks: { keys: [privateKey.export({ format: 'jwk' })] },
  ttl: { BackchannelAuthenticationRequest: 3_600 },
};

let handler: RequestListener = (_, response) => response.writeHead(503).end();
const server = createServer((request, response) => handler(request, response));
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The declared types cover only the part that the local issuer uses.
  const settings: object = configuration;
  const provider = new Provider(url, settings);
  provider.silent = true;
  handler = provider.callback();
  announce(url);
});
