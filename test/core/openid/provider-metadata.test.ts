import { expect, test } from '@jest/globals';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import { providerMetadata } from '../../../core/openid/provider-metadata.ts';
import { idTokenClaims } from '../../../core/openid/tokens.ts';

const issuer = 'https://omi.example';

test('the metadata list exactly the claims of ID tokens', () => {
  const claims = idTokenClaims(issuer, {
    confirmation: {} as Confirmation,
    client: { clientId: 'client' },
    authReqId: 'request',
    now: 0,
  });
  expect(Object.keys(claims).sort()).toEqual(providerMetadata(issuer).claims_supported.toSorted());
});

test('every endpoint begins with the issuer', () => {
  const urls = Object.entries(providerMetadata(issuer)).filter(([name]) => /(_endpoint|_uri)$/.test(name));
  expect(urls).toHaveLength(3);
  for (const [, url] of urls) expect(url).toMatch(/^https:\/\/omi\.example\/[^/]/);
});
