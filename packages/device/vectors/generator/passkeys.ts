/** What a browser gives of a passkey (Web Authentication Level 3), made from a published key. */
import { createHash } from 'node:crypto';
import { derOf } from './signatures.ts';
import type { JsonObject } from './json.ts';
import { passkeyKey, type EcKey } from './keys.ts';
import { appLink, sha256 } from './story.ts';

export const rpId = 'app.example.org';
export const origin = appLink;

const credentialId = createHash('sha256').update('OMI test vectors: a credential').digest();
export const passkeyId = credentialId.toString('base64url');

const hash = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();

export const flags = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, credential: 0x40 };
const { present, verified } = flags;

/** What differs from what a good browser gives. */
export type Change = {
  client?: JsonObject;
  rpId?: string;
  flags?: number;
  counter?: number;
  key?: EcKey;
};

const clientData = (type: string, challenge: string, change: Change): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...change.client }));

function head(byte: number, change: Change): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(change.counter ?? 0);
  return Buffer.concat([hash(change.rpId ?? rpId), Buffer.of(change.flags ?? byte), counter]);
}

/** AAGUID of zeros, the id with its length, and the key in canonical CBOR (RFC 9053, section 7.1.1). */
const credentialOf = ({ x, y }: { x: string; y: string }): Buffer =>
  Buffer.concat([
    Buffer.alloc(16),
    Buffer.of(0, credentialId.length),
    credentialId,
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

/** The claim `passkey` of an enrolment. */
export function registrationFor(code: string, change: Change = {}): JsonObject {
  const { publicJwk } = change.key ?? passkeyKey;
  const data = Buffer.concat([head(present | verified | flags.credential, change), credentialOf(publicJwk)]);
  return {
    id: passkeyId,
    publicKey: publicJwk,
    authenticatorData: data.toString('base64url'),
    clientDataJSON: clientData('webauthn.create', sha256(code), change).toString('base64url'),
  };
}

/** The claim `userVerification` of an answer. Its signature is in DER, unlike that of a JWS. */
export function assertionFor(challenge: string, change: Change = {}): JsonObject {
  const data = head(present | verified, change);
  const client = clientData('webauthn.get', challenge, change);
  const signature = (change.key ?? passkeyKey).sign(Buffer.concat([data, hash(client)]));
  return {
    id: passkeyId,
    authenticatorData: data.toString('base64url'),
    clientDataJSON: client.toString('base64url'),
    signature: derOf(signature).toString('base64url'),
  };
}
