import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  coseKey,
  flag,
  type AuthenticatorDeviation,
  type UserVerificationClaim,
} from '../../../../client/device/software-authenticator.ts';

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
