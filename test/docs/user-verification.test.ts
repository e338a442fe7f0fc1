/** The program of docs/websites-by-hand.md that verifies a user's verification offline. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import {
  SoftwareAuthenticator,
  type AuthenticatorDeviation,
} from '../../tools/client/device/software-authenticator.ts';
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
const passkeyOf = async (key: Key) => ({
  id: good.id,
  jkt: await calculateJwkThumbprint(key),
  rpId,
});

async function verify(
  { userVerification = good, key = passkeyKey, ...claims }: Claims & { key?: Key | null },
  passkey?: object | null,
): Promise<void> {
  const enrolled = passkey === undefined ? await passkeyOf(passkeyKey) : (passkey ?? undefined);
  const proof = { claims: { ...decided, userVerification, ...claims }, receipt: { passkey: enrolled } };
  await verifyUserVerified(key === null ? {} : { passkeyKey: key }, proof);
}

test('the example accepts what the enrolled passkey signed', async () => {
  await expect(verify({})).resolves.toBeUndefined();
});

test.each<[string, Claims & { key?: Key | null }, string]>([
  ['no assertion', { userVerification: null }, 'not verified'],
  ['no key', { key: null }, 'not verified'],
  ['another key', { key: otherKey }, 'not the enrolled one'],
  ['another decision', { decision: 'deny' }, 'something else'],
  ['another challenge', { challengeId: 'd'.repeat(43) }, 'something else'],
  ['another message', { messageHash: 'n'.repeat(43) }, 'something else'],
  ['another context', { contextHash: 'n'.repeat(43) }, 'something else'],
  [
    'a registration',
    { userVerification: assertion({ clientData: { type: 'webauthn.create' } }) },
    'something else',
  ],
  [
    'a page in a foreign frame',
    { userVerification: assertion({ clientData: { crossOrigin: true } }) },
    'something else',
  ],
  ['another RP ID', { userVerification: assertion({ rpId: 'example.org' }) }, 'for another'],
  ['a user who was not verified', { userVerification: assertion({ flags: 0x01 }) }, 'did not verify'],
  ['a user who was not there', { userVerification: assertion({ flags: 0x04 }) }, 'did not verify'],
])('the example rejects %s', async (_, given, reason) => {
  await expect(verify(given)).rejects.toThrow(reason);
});

test('the example rejects a passkey that is not in the receipt', async () => {
  await expect(verify({}, null)).rejects.toThrow('not verified');
  await expect(verify({}, { ...(await passkeyOf(passkeyKey)), id: 'another' })).rejects.toThrow(
    'not the enrolled one',
  );
});

test('the example rejects the signature of another key', async () => {
  await expect(verify({ key: otherKey }, await passkeyOf(otherKey))).rejects.toThrow('signature');
});
