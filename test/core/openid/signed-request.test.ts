import { expect, test } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import type { RegisteredClient } from '../../../core/access/registered-client.ts';
import type { BaseUrls } from '../../../core/kernel/base-urls.ts';
import { Form } from '../../../core/openid/form.ts';
import { readSignedRequest } from '../../../core/openid/signed-request.ts';

const issuer = 'https://api.example.com';
const { privateKey, publicKey } = await generateKeyPair('ES256');
const client = {
  clientId: 'shop',
  keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }],
} as unknown as RegisteredClient;

async function messageIn(encoding: BufferEncoding): Promise<string | undefined> {
  const now = Date.now();
  const [iat, exp] = [Math.floor(now / 1000), Math.floor(now / 1000) + 60];
  const claims = { iss: 'shop', aud: issuer, iat, nbf: iat, exp, jti: 'one', binding_message: 'Müller' };
  const request = await new CompactSign(Buffer.from(JSON.stringify(claims), encoding))
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);
  const form = new Form(new URLSearchParams({ request }).toString());
  const parameters = await readSignedRequest(form, { client, issuers: [issuer] as BaseUrls, now });
  return parameters.get('binding_message');
}

test('a signed request is UTF-8', async () => {
  expect(await messageIn('utf8')).toBe('Müller');
  await expect(messageIn('latin1')).rejects.toMatchObject({ code: 'invalid_request' });
});
