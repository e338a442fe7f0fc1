import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Challenge } from '../contract.ts';

/** Claim `passkey` of an enrolment. */
export type PasskeyClaim = {
  id: string;
  publicKey: { kty: string; crv: string; x: string; y: string };
  authenticatorData: string;
  clientDataJSON: string;
};

/** Claim `userVerification` of an answer. */
export type UserVerificationClaim = {
  id: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
};

/** Flags of authenticator data (Web Authentication Level 3, section 6.1). */
export const flag = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 };

/** How the authenticator differs from a correct one. */
export type AuthenticatorDeviation = {
  rpId?: string;
  flags?: number;
  counter?: number;
  /** Bytes after the credential, or after the counter. */
  extensions?: Buffer;
  /** The id of the attested credential. */
  credentialId?: Buffer;
  key?: KeyObject;
  /** Members replace those of clientDataJSON; `undefined` removes one. */
  clientData?: Record<string, unknown>;
};

export type AuthenticatorOptions = {
  rpId: string;
  origin: string;
  /** The passkey may be copied to other devices, like one of a password manager. */
  synced?: boolean;
  /** Counts each use; without it the counter is always 0, as with most phones. */
  counts?: boolean;
};

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const lengthOf = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
};

const jwkOf = (key: KeyObject): PasskeyClaim['publicKey'] => {
  const { kty = '', crv = '', x = '', y = '' } = key.export({ format: 'jwk' });
  return { kty, crv, x, y };
};

/** A P-256 key for ES256 in CTAP2's canonical CBOR: `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }` (RFC 9053, section 7.1.1). */
export function coseKey(key: KeyObject): Buffer {
  const { x, y } = jwkOf(key);
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}

/**
 * An authenticator of WebAuthn with one passkey, and the browser around it: what a phone's fingerprint sensor is for an app.
 *
 *     const authenticator = new SoftwareAuthenticator({ rpId: 'localhost', origin: 'http://localhost:8081' });
 *     await phone.enrol(qr, { claims: { passkey: authenticator.create(code) } });
 *     const userVerification = authenticator.assert(challenge, 'confirm');
 *     await phone.confirm(challenge, { claims: { userVerification } });
 *
 * Each call takes a deviation, to simulate a hostile or broken app.
 */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  readonly #options: AuthenticatorOptions;
  #counter = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#id.toString('base64url');
  }

  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  /** Creates the passkey, for the one-time code of an enrolment. */
  create(code: string, deviation: AuthenticatorDeviation = {}): PasskeyClaim {
    const { credentialId = this.#id, key = this.publicKey } = deviation;
    const aaguid = Buffer.alloc(16);
    const credential = Buffer.concat([aaguid, lengthOf(credentialId), credentialId, coseKey(key)]);
    const { authenticatorData, clientDataJSON } = this.#respond(
      { type: 'webauthn.create', challenge: sha256(code), flags: flag.AT, credential },
      deviation,
    );
    return {
      id: this.id,
      publicKey: jwkOf(this.publicKey),
      authenticatorData: authenticatorData.toString('base64url'),
      clientDataJSON: clientDataJSON.toString('base64url'),
    };
  }

  /** Verifies the user for one decision about one challenge. */
  assert(
    challenged: Pick<Challenge, 'challengeId' | 'messageHash' | 'contextHash' | 'detailsHash'>,
    decision: 'confirm' | 'deny',
    deviation: AuthenticatorDeviation = {},
  ): UserVerificationClaim {
    const { challengeId, messageHash, contextHash, detailsHash } = challenged;
    const decided = [challengeId, messageHash, contextHash, decision];
    const challenge = sha256([...decided, ...(detailsHash === undefined ? [] : [detailsHash])].join('.'));
    return this.assertOver(challenge, deviation);
  }

  /** Verifies the user for any challenge. */
  assertOver(challenge: Buffer, deviation: AuthenticatorDeviation = {}): UserVerificationClaim {
    const { authenticatorData, clientDataJSON } = this.#respond(
      { type: 'webauthn.get', challenge, flags: 0, credential: Buffer.alloc(0) },
      deviation,
    );
    return this.#signed(authenticatorData, clientDataJSON);
  }

  /** Verifies the user for the removal of the device, by the message with this `jti`. */
  assertRemoval(
    deviceId: string,
    jti: string,
    deviation: AuthenticatorDeviation = {},
  ): UserVerificationClaim {
    return this.assertOver(sha256(`unregister.${deviceId}.${jti}`), deviation);
  }

  /** Signs any data as an assertion of this passkey. */
  #signed(authenticatorData: Buffer, clientDataJSON: Buffer): UserVerificationClaim {
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return {
      id: this.id,
      authenticatorData: authenticatorData.toString('base64url'),
      clientDataJSON: clientDataJSON.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    };
  }

  #respond(
    own: { type: string; challenge: Buffer; flags: number; credential: Buffer },
    deviation: AuthenticatorDeviation,
  ): { authenticatorData: Buffer; clientDataJSON: Buffer } {
    const { rpId, origin, synced = false, counts = false } = this.#options;
    if (counts) this.#counter += 1;
    const usual = flag.UP | flag.UV | own.flags | (synced ? flag.BE | flag.BS : 0);
    const head = Buffer.alloc(5);
    head.writeUInt8(deviation.flags ?? usual);
    head.writeUInt32BE(deviation.counter ?? this.#counter, 1);
    const authenticatorData = Buffer.concat([
      sha256(deviation.rpId ?? rpId),
      head,
      own.credential,
      deviation.extensions ?? Buffer.alloc(0),
    ]);
    const clientData = {
      type: own.type,
      challenge: own.challenge.toString('base64url'),
      origin,
      crossOrigin: false,
      ...deviation.clientData,
    };
    return { authenticatorData, clientDataJSON: Buffer.from(JSON.stringify(clientData)) };
  }
}
