/** The program of docs/websites-by-hand.md that verifies a user's verification offline. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import {
  SoftwareAuthenticator,
  type AuthenticatorDeviation,
} from '../../client/device/software-authenticator.ts';
import type { Claims } from '../../docs/examples/typescript/evidence.ts';
import type { Confirmation } from '../../docs/examples/typescript/step-up.ts';
import { verifyUserVerified } from '../../docs/examples/typescript/user-verification.ts';

type Key = Confirmation['passkeyKey'] & object;
const rpId = 'example.com';
const authenticator = new SoftwareAuthenticator({ rpId, origin: 'https://app.example.com' });
const passkeyKey = authenticator.publicKey.export({ format: 'jwk' }) as Key;
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  format: 'jwk',
}) as Key;
const decided = {
  challengeId: 'c'.repeat(43),
  messageHash: 'm'.repeat(43),
  contextHash: 'x'.repeat(43),
  decision: 'confirm',
} as const;

const assertion = (deviation: AuthenticatorDeviation = {}) =>
  authenticator.assert(decided, 'confirm', deviation);
const good = assertion();

async function verify({
  userVerification = good,
  key = passkeyKey,
  ...claims
}: Claims & { key?: Key }): Promise<void> {
  const passkey = { id: good.id, jkt: await calculateJwkThumbprint(passkeyKey), rpId };
  const proof = { claims: { ...decided, userVerification, ...claims }, receipt: { passkey } };
  await verifyUserVerified({ passkeyKey: key }, proof);
}

test('the example accepts what the enrolled passkey signed', async () => {
  await expect(verify({})).resolves.toBeUndefined();
});

test.each<[string, Claims & { key?: Key }, string]>([
  ['another key', { key: otherKey }, 'not the enrolled one'],
  ['another decision', { decision: 'deny' }, 'something else'],
  ['a user who was not verified', { userVerification: assertion({ flags: 0x01 }) }, 'did not verify'],
])('the example rejects %s', async (_, given, reason) => {
  await expect(verify(given)).rejects.toThrow(reason);
});
