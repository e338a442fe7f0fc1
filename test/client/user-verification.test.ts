/** Both programs that verify a user's verification offline: that of this repository, and that of docs/websites-by-hand.md. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Confirmation } from '../../client/contract.ts';
import {
  SoftwareAuthenticator,
  type AuthenticatorDeviation,
} from '../../client/device/software-authenticator.ts';
import { verifyUserVerification } from '../../client/user-verification.ts';
import { verifyUserVerified } from '../../docs/examples/typescript/user-verification.ts';

const app = { rpId: 'example.com', origins: ['https://app.example.com', 'android:apk-key-hash:x'] };
const [origin = ''] = app.origins;
const decided = {
  challengeId: 'c'.repeat(43),
  messageHash: 'm'.repeat(43),
  contextHash: 'x'.repeat(43),
  decision: 'confirm',
} as const;
const authenticator = new SoftwareAuthenticator({ rpId: app.rpId, origin });
const jwk = (key: typeof authenticator.publicKey) =>
  key.export({ format: 'jwk' }) as Confirmation['deviceKey'] & object;
const passkeyKey = jwk(authenticator.publicKey);

type Evidence = { claims: object; passkeyKey?: typeof passkeyKey };

const evidenceOf = (deviation: AuthenticatorDeviation = {}, change: object = {}): Evidence => ({
  claims: { ...decided, userVerification: authenticator.assert(decided, 'confirm', deviation), ...change },
  passkeyKey,
});

const verifiers = {
  'client/user-verification.ts': ({ claims, ...confirmation }: Evidence, expected = app) => {
    verifyUserVerification(claims, confirmation, expected);
  },
  'docs/websites-by-hand.md': ({ claims, ...confirmation }: Evidence, expected = app) => {
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    verifyUserVerified({ ...confirmation, evidence: `header.${payload}.signature` } as never, expected);
  },
};

describe.each(Object.entries(verifiers))('%s', (_, verify) => {
  test('accepts what the passkey signed', () => {
    expect(() => {
      verify(evidenceOf());
    }).not.toThrow();
  });

  test.each<[string, Evidence, string]>([
    ['no assertion', evidenceOf({}, { userVerification: undefined }), 'not verified'],
    ['no key', { claims: evidenceOf().claims }, 'not verified'],
    ['another decision', evidenceOf({}, { decision: 'deny' }), 'something else'],
    ['another challenge', evidenceOf({}, { challengeId: 'd'.repeat(43) }), 'something else'],
    ['another message', evidenceOf({}, { messageHash: 'n'.repeat(43) }), 'something else'],
    ['a registration', evidenceOf({ clientData: { type: 'webauthn.create' } }), 'something else'],
    ['another origin', evidenceOf({ clientData: { origin: 'https://example.com' } }), 'nother app'],
    ['another RP ID', evidenceOf({ rpId: 'example.org' }), 'for another'],
    ['a user who was not verified', evidenceOf({ flags: 0x01 }), 'did not verify'],
    ['a user who was not there', evidenceOf({ flags: 0x04 }), 'did not verify'],
    [
      'another key',
      { ...evidenceOf(), passkeyKey: jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey) },
      'signature',
    ],
  ])('refuses %s', (__, evidence, reason) => {
    expect(() => {
      verify(evidence);
    }).toThrow(reason);
  });

  test('refuses a page in a foreign frame', () => {
    expect(() => {
      verify(evidenceOf({ clientData: { crossOrigin: true } }));
    }).toThrow(/nother app|something else/);
  });
});
