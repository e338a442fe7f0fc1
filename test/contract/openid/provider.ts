import { describe, expect, test } from '@jest/globals';
import { KMSClient } from '@aws-sdk/client-kms';
import { allowInsecureRequests, discovery } from 'openid-client';
import { JwsSigner } from '../../../core/keys/jws-signer.ts';
import { PublicKey, SigningKey } from '../../../core/keys/signing-key-client.ts';
import { localKeys } from '../../../tools/local/resources/kms-keys.ts';
import { accessAs } from '../../../tools/local/seed/aws-access.ts';
import { expectSchema } from '../../support/openapi.ts';
import type { TestStack } from '../../support/stack.ts';
import { newUser } from '../scenario.ts';

export function provider(stack: TestStack): void {
  const get = async (path: string, init: RequestInit = {}) =>
    await fetch(`${stack.file.baseUrl}${path}`, init);

  test.each([
    ['/.well-known/openid-configuration', 'ProviderMetadata'],
    ['/.well-known/omi-keys', 'PublishedKeys'],
    ['/oauth/jwks', 'KeySet'],
  ])('answers %s without credentials, cacheable for five minutes', async (path, schema) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expectSchema(schema, await response.json());
    expect((await get(path, { method: 'POST' })).status).toBe(404);
  });

  test('lets openid-client discover the endpoints from the issuer alone', async () => {
    const { baseUrl } = stack.file;
    const found = await discovery(new URL(baseUrl), 'client', undefined, undefined, {
      // Marked as deprecated only as a warning: the local stack has no TLS.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      execute: [allowInsecureRequests],
    });
    expect(found.serverMetadata()).toMatchObject({
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/oauth/jwks`,
      token_endpoint: `${baseUrl}/oauth/token`,
      backchannel_authentication_endpoint: `${baseUrl}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      grant_types_supported: ['urn:openid:params:grant-type:ciba'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });

  describe('the API', () => {
    /** A token as the token endpoint signs it, with claims that would open the route. */
    async function signed(typ: 'JWT' | 'at+jwt'): Promise<string> {
      const [{ tenantId, clientId }] = stack.file.tenants;
      const kms = new KMSClient(accessAs('OPERATOR', stack.file.aws, 'kms'));
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        ...{ iss: stack.file.baseUrl, aud: stack.file.baseUrl, sub: newUser(), tid: tenantId },
        ...{ client_id: clientId, azp: clientId, scope: 'openid credential:omi:devices:get' },
        ...{ iat: now, exp: now + 600 },
      };
      const { kid } = await new PublicKey(kms, localKeys.signing, 'token').jwk();
      const key = new SigningKey(kms, localKeys.signing);
      const token = await new JwsSigner({ kid, key }).sign(claims, { typ });
      kms.destroy();
      return token;
    }

    test.each([
      ['an ID token', 'JWT'],
      ['an access token', 'at+jwt'],
    ] as const)('rejects %s that the service issued', async (_, typ) => {
      const path = `/omi/users/${newUser()}/devices`;
      const own = await get(path, { headers: { authorization: `Bearer ${await signed(typ)}` } });
      expect(own.status).toBe(401);
      const issued = await stack.website.accessToken();
      expect((await get(path, { headers: { authorization: `Bearer ${issued}` } })).status).toBe(200);
    });
  });
}
