import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from '@jest/globals';
import {
  coseKey,
  flag,
  type AuthenticatorDeviation,
  type UserVerificationClaim,
} from '../../../tools/client/device/software-authenticator.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { expectStatus, enrolDevice, openChallenge, push } from '../scenario.ts';
import { challengedWithPasskey, enrolWithPasskey, authenticatorOf } from './scene.ts';

const { UP, UV, BE, BS, AT, ED } = flag;

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const encoded = (data: Buffer): string => data.toString('base64url');

/** AAGUID, a credential id of one byte, and a key. */
const attestedCredential = Buffer.concat([
  Buffer.alloc(16),
  Buffer.from([0, 1, 7]),
  coseKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
]);

export const deviations: [string, AuthenticatorDeviation][] = [
  ['another RP ID', { rpId: 'example.com' }],
  ['an absent user', { flags: UV }],
  ['an unverified user', { flags: UP }],
  ['the flag of a credential', { flags: UP | UV | AT }],
  ['a credential', { flags: UP | UV | AT, extensions: attestedCredential }],
  ['a passkey that has become copyable', { flags: UP | UV | BE }],
  ['a copy of a passkey that is not copyable', { flags: UP | UV | BS }],
  ['trailing bytes', { extensions: Buffer.alloc(1) }],
  ['bytes after the extensions', { flags: UP | UV | ED, extensions: Buffer.from('a000', 'hex') }],
  ['a flag for extensions without any', { flags: UP | UV | ED }],
  ['the type of a registration', { clientData: { type: 'webauthn.create' } }],
  ['another origin', { clientData: { origin: 'https://example.com' } }],
  ['no origin', { clientData: { origin: undefined } }],
  ['a frame of another origin', { clientData: { crossOrigin: true } }],
  ['a page around the frame', { clientData: { crossOrigin: false, topOrigin: 'https://example.com' } }],
  ['another challenge', { clientData: { challenge: 'A'.repeat(43) } }],
  ['no challenge', { clientData: { challenge: undefined } }],
];

type Change = (claim: UserVerificationClaim) => unknown;

const changed =
  (member: keyof UserVerificationClaim, change: (data: Buffer) => Buffer): Change =>
  (claim) => ({ ...claim, [member]: encoded(change(bytes(claim[member]))) });

const plus = (byte: number) => (data: Buffer) => Buffer.concat([data, Buffer.from([byte])]);

export const changes: [string, Change][] = [
  ['another id', (claim) => ({ ...claim, id: encoded(randomBytes(32)) })],
  ['an empty id', (claim) => ({ ...claim, id: '' })],
  ['another signature', changed('signature', () => randomBytes(70))],
  ['a signature with trailing bytes', changed('signature', plus(0))],
  ['a truncated signature', changed('signature', (data) => data.subarray(0, -1))],
  ['a signature that is not in DER', changed('signature', () => randomBytes(64))],
  ['no signature', (claim) => ({ ...claim, signature: '' })],
  ['a signature with padding', (claim) => ({ ...claim, signature: `${claim.signature}=` })],
  ['unsigned client data', changed('clientDataJSON', (data) => Buffer.concat([data, Buffer.from(' ')]))],
  [
    'unsigned authenticator data',
    changed('authenticatorData', (data) => {
      const copy = Buffer.from(data);
      copy.writeUInt32BE(99, 33);
      return copy;
    }),
  ],
  ['truncated data', changed('authenticatorData', (data) => data.subarray(0, 36))],
  ['text that is not JSON', changed('clientDataJSON', () => Buffer.from('no JSON'))],
  [
    'standard base64 characters',
    (claim) => ({ ...claim, authenticatorData: claim.authenticatorData.replace(/.$/, '+') }),
  ],
];

export function forgedAssertions(stack: TestStack): void {
  const refused = async (
    deviation: AuthenticatorDeviation,
    change: Change = (claim) => claim,
  ): Promise<void> => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack);
    for (const decision of ['confirm', 'deny'] as const) {
      const claims = { userVerification: change(authenticator.assert(challenge, decision, deviation)) };
      const answer = await device.answer(challenge, { decision }, { claims });
      expectProblem(answer, 422, 'user-verification-failed');
    }
    await expectStatus(stack.website, sent.nonce, 'pending');
    const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
    succeeded(await device.confirm(challenge, { claims }), 200);
  };

  test.each(deviations)('is rejected for %s', async (_, deviation) => {
    await refused(deviation);
  });

  test.each(changes)('is rejected for a claim with %s', async (_, change) => {
    await refused({}, change);
  });

  test('is rejected if it was made for the other decision', async () => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack);
    const [confirm, deny] = [
      authenticator.assert(challenge, 'confirm'),
      authenticator.assert(challenge, 'deny'),
    ];
    const answers = [
      await device.confirm(challenge, { claims: { userVerification: deny } }),
      await device.deny(challenge, undefined, { claims: { userVerification: confirm } }),
    ];
    for (const answer of answers) expectProblem(answer, 422, 'user-verification-failed');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test('is rejected if it was made for an earlier challenge with the same message', async () => {
    const { device, authenticator, challenge } = await challengedWithPasskey(stack);
    const claims = { userVerification: authenticator.assert(challenge, 'confirm') };
    succeeded(await device.confirm(challenge, { claims }), 200);
    const { nonce } = await push(stack.website, device);
    const next = await openChallenge(device);
    expectProblem(await device.confirm(next, { claims }), 422, 'user-verification-failed');
    await expectStatus(stack.website, nonce, 'pending');
  });

  test("is rejected with another device's passkey, even under the device's own id", async () => {
    const [other, { device, authenticator, challenge }] = await Promise.all([
      enrolWithPasskey(stack),
      challengedWithPasskey(stack),
    ]);
    const foreign = other.authenticator.assert(challenge, 'confirm');
    for (const userVerification of [foreign, { ...foreign, id: authenticator.id }])
      expectProblem(
        await device.confirm(challenge, { claims: { userVerification } }),
        422,
        'user-verification-failed',
      );
  });

  test('is rejected on a device without a passkey', async () => {
    const device = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, device);
    const challenge = await openChallenge(device);
    const claims = { userVerification: authenticatorOf(stack).assert(challenge, 'confirm') };
    expectProblem(await device.confirm(challenge, { claims }), 422, 'user-verification-failed');
    await expectStatus(stack.website, nonce, 'pending');
  });

  test.each([
    [{ signature: undefined }, '/userVerification/signature'],
    [{ id: 7 }, '/userVerification/id'],
    [{ authenticatorData: [] }, '/userVerification/authenticatorData'],
  ])('is rejected with 400 for %j', async (members, pointer) => {
    const { device, authenticator, challenge } = await challengedWithPasskey(stack);
    const userVerification = { ...authenticator.assert(challenge, 'confirm'), ...members };
    expectFaults(await device.confirm(challenge, { claims: { userVerification } }), pointer);
  });

  test('is rejected above 8 KB like every other message', async () => {
    const { device, authenticator, sent, challenge } = await challengedWithPasskey(stack);
    const clientData = { padding: 'x'.repeat(8_000) };
    const claims = { userVerification: authenticator.assert(challenge, 'confirm', { clientData }) };
    expectProblem(await device.confirm(challenge, { claims }), 413, 'too-large');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });
}
