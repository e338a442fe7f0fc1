import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  flag,
  type AuthenticatorDeviation,
  type PasskeyClaim,
} from '../../../../client/device/software-authenticator.ts';
import { relyingParty } from '../../../support/relying-party.ts';

const [ownOrigin = ''] = relyingParty.origins;

const { UP, UV, BS, AT, ED } = flag;
const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const jwkOf = (key: typeof otherKey) => key.export({ format: 'jwk' });

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const encoded = (data: Buffer): string => data.toString('base64url');

/** Position of the flags in authenticator data, and of the length of the credential id. */
const [FLAGS, ID_LENGTH] = [32, 53];

const withByte = (text: string, index: number, value: number): string => {
  const data = bytes(text);
  data.writeUInt8(value, index);
  return encoded(data);
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another text of the same 32 bytes: the last character has two bits that decoders ignore. */
const withUnusedBit = (text: string): string =>
  text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1);

/** What is wrong with the authenticator or the browser. */
export const deviations: [string, AuthenticatorDeviation][] = [
  ['another RP ID', { rpId: 'example.com' }],
  ['an absent user', { flags: UV | AT }],
  ['an unverified user', { flags: UP | AT }],
  ['a credential without the flag AT', { flags: UP | UV }],
  ['a copy of a passkey that is not copyable', { flags: UP | UV | AT | BS }],
  ['another credential id', { credentialId: randomBytes(32) }],
  ['another key', { key: otherKey }],
  ['trailing bytes after the credential', { extensions: Buffer.alloc(1) }],
  ['a flag for extensions without any', { flags: UP | UV | AT | ED }],
  ['extensions without their flag', { extensions: Buffer.from('a0', 'hex') }],
  ['bytes after the extensions', { flags: UP | UV | AT | ED, extensions: Buffer.from('a000', 'hex') }],
  ['extensions that are not a map', { flags: UP | UV | AT | ED, extensions: Buffer.from('80', 'hex') }],
  ['a very long credential id', { credentialId: randomBytes(1024) }],
  ['the type of an assertion', { clientData: { type: 'webauthn.get' } }],
  ['no type', { clientData: { type: undefined } }],
  ['another origin', { clientData: { origin: 'https://example.com' } }],
  ['another port', { clientData: { origin: 'http://localhost:1' } }],
  ['its origin with a slash', { clientData: { origin: `${ownOrigin}/` } }],
  ['its origin in a list', { clientData: { origin: [ownOrigin] } }],
  ['its origin in capitals', { clientData: { origin: ownOrigin.toUpperCase() } }],
  ['no origin', { clientData: { origin: undefined } }],
  ['a frame of another origin', { clientData: { crossOrigin: true } }],
  ['a cross-origin frame in another spelling', { clientData: { crossOrigin: 'true' } }],
  ['a page around the frame', { clientData: { topOrigin: 'https://example.com' } }],
  ['no challenge', { clientData: { challenge: undefined } }],
  ['the challenge with padding', { clientData: { challenge: `${'A'.repeat(43)}=` } }],
  ['another challenge', { clientData: { challenge: 'A'.repeat(43) } }],
];

/** The client data with a further member at its end, whose value are these bytes. */
const withMember = (passkey: PasskeyClaim, value: Buffer): PasskeyClaim => {
  const data = bytes(passkey.clientDataJSON).subarray(0, -1);
  const clientDataJSON = encoded(Buffer.concat([data, Buffer.from(',"other":'), value, Buffer.from('}')]));
  return { ...passkey, clientDataJSON };
};

/** What is wrong with the claim. */
export const changes: [string, (passkey: PasskeyClaim) => unknown][] = [
  ['another id', (passkey) => ({ ...passkey, id: encoded(randomBytes(32)) })],
  ['an empty id', (passkey) => ({ ...passkey, id: '' })],
  ['another key', (passkey) => ({ ...passkey, publicKey: jwkOf(otherKey) })],
  [
    'the key of another curve',
    (passkey) => ({ ...passkey, publicKey: { ...passkey.publicKey, crv: 'P-384' } }),
  ],
  [
    'the key with y in place of x',
    (passkey) => {
      const { publicKey } = passkey;
      return { ...passkey, publicKey: { ...publicKey, x: publicKey.y } };
    },
  ],
  [
    'the key with x in place of y',
    (passkey) => {
      const { publicKey } = passkey;
      return { ...passkey, publicKey: { ...publicKey, y: publicKey.x } };
    },
  ],
  ['the key of another type', (passkey) => ({ ...passkey, publicKey: { ...passkey.publicKey, kty: 'OKP' } })],
  ['padding', (passkey) => ({ ...passkey, clientDataJSON: `${passkey.clientDataJSON}=` })],
  [
    'standard base64 characters',
    (passkey) => ({ ...passkey, authenticatorData: `+/${passkey.authenticatorData}` }),
  ],
  ['unused bits', (passkey) => ({ ...passkey, id: withUnusedBit(passkey.id) })],
  ['no data', (passkey) => ({ ...passkey, authenticatorData: '', clientDataJSON: '' })],
  ['text that is not JSON', (passkey) => ({ ...passkey, clientDataJSON: encoded(Buffer.from('{"type"')) })],
  ['JSON that is not an object', (passkey) => ({ ...passkey, clientDataJSON: encoded(Buffer.from('[]')) })],
  ['JSON that is null', (passkey) => ({ ...passkey, clientDataJSON: encoded(Buffer.from('null')) })],
  [
    'an origin that starts with the right one',
    (passkey) => {
      const text = bytes(passkey.clientDataJSON).toString();
      const other = text.replace(/("origin":"[^"]*)/, '$1.example.com');
      return { ...passkey, clientDataJSON: encoded(Buffer.from(other)) };
    },
  ],
  [
    'a duplicate member',
    (passkey) => {
      const text = bytes(passkey.clientDataJSON).toString().replace('{', '{"origin":"https://example.com",');
      return { ...passkey, clientDataJSON: encoded(Buffer.from(text)) };
    },
  ],
  ['bytes that are not UTF-8', (passkey) => withMember(passkey, Buffer.from('"\xff"', 'latin1'))],
  [
    'a byte order mark',
    (passkey) => ({
      ...passkey,
      clientDataJSON: encoded(Buffer.concat([Buffer.from('\uFEFF'), bytes(passkey.clientDataJSON)])),
    }),
  ],
  ['nine levels', (passkey) => withMember(passkey, Buffer.from(`${'['.repeat(8)}${']'.repeat(8)}`))],
  ['deep nesting', (passkey) => withMember(passkey, Buffer.from(`${'['.repeat(1_000)}${']'.repeat(1_000)}`))],
  [
    'truncated data',
    (passkey) => ({
      ...passkey,
      authenticatorData: encoded(bytes(passkey.authenticatorData).subarray(0, 80)),
    }),
  ],
  [
    'data of 36 bytes',
    (passkey) => ({
      ...passkey,
      authenticatorData: encoded(bytes(passkey.authenticatorData).subarray(0, 36)),
    }),
  ],
  [
    'an id length beyond the data',
    (passkey) => ({ ...passkey, authenticatorData: withByte(passkey.authenticatorData, ID_LENGTH, 0xff) }),
  ],
  [
    'a key that is not a point on the curve',
    (passkey) => {
      const data = bytes(passkey.authenticatorData);
      data.fill(0, data.length - 32);
      const publicKey = { ...passkey.publicKey, y: 'A'.repeat(43) };
      return { ...passkey, authenticatorData: encoded(data), publicKey };
    },
  ],
  [
    'flags that deny the credential',
    (passkey) => ({ ...passkey, authenticatorData: withByte(passkey.authenticatorData, FLAGS, UP | UV) }),
  ],
  [
    'data without a credential',
    (passkey) => {
      const data = encoded(bytes(passkey.authenticatorData).subarray(0, 37));
      return { ...passkey, authenticatorData: withByte(data, FLAGS, UP | UV) };
    },
  ],
];
