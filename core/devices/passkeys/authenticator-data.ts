import type { DeviceKey } from '../device-key.ts';
import { endOfMap } from './cbor.ts';

/** Authenticator data (Web Authentication Level 3, section 6.1). */
export type AuthenticatorData = {
  rpIdHash: Buffer;
  /** The user touched the authenticator. */
  userPresent: boolean;
  /** The authenticator checked fingerprint, face or PIN. */
  userVerified: boolean;
  /** The passkey may be copied to the user's other devices. */
  backupEligible: boolean;
  counter: number;
  /** Only in a registration. */
  credential?: { id: Buffer; key: DeviceKey };
};

const malformed = (what: string): SyntaxError => new SyntaxError(`authenticatorData: ${what}`);

const flagsOf = (byte: number) => ({
  userPresent: (byte & 0x01) !== 0,
  userVerified: (byte & 0x04) !== 0,
  backupEligible: (byte & 0x08) !== 0,
  backedUp: (byte & 0x10) !== 0,
  hasCredential: (byte & 0x40) !== 0,
  hasExtensions: (byte & 0x80) !== 0,
});

/** RP ID hash, flags and counter. */
const headBytes = 37;
/** AAGUID, and the length of the credential id. */
const credentialHeadBytes = 18;
/** Web Authentication Level 3, section 4: "at most 1023 bytes". */
const longestIdBytes = 1023;

/**
 * A P-256 key for ES256 has only this form: WebAuthn (section 6.5.1) requires CTAP2's canonical CBOR and `alg`, and allows no
 * optional parameter. RFC 9053, section 7.1.1 has the labels: kty 2, alg −7, crv 1, x and y of 32 bytes.
 */
const beforeX = Buffer.from('a5010203262001215820', 'hex');
const beforeY = Buffer.from('225820', 'hex');
const coordinate = 32;
const keyLength = beforeX.length + coordinate + beforeY.length + coordinate;

function readKey(bytes: Buffer): DeviceKey {
  const xAt = beforeX.length;
  const yAt = keyLength - coordinate;
  const [x, y] = [bytes.subarray(xAt, xAt + coordinate), bytes.subarray(yAt)];
  const isKey = bytes.equals(Buffer.concat([beforeX, x, beforeY, y]));
  if (!isKey) throw malformed('expected a P-256 key for ES256 in canonical CBOR');
  return { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
}

/** Attested credential data (section 6.5.1). The AAGUID says nothing without an attestation. */
function readCredential(bytes: Buffer): { id: Buffer; key: DeviceKey; end: number } {
  const idAt = headBytes + credentialHeadBytes;
  if (bytes.length < idAt) throw malformed('the credential is cut off');
  const idLength = bytes.readUInt16BE(idAt - 2);
  if (idLength === 0 || idLength > longestIdBytes)
    throw malformed('expected a credential id of 1 to 1023 bytes');
  const keyAt = idAt + idLength;
  const end = keyAt + keyLength;
  return { id: bytes.subarray(idAt, keyAt), key: readKey(bytes.subarray(keyAt, end)), end };
}

/** @throws {SyntaxError} unless the bytes are exactly what the flags announce */
export function readAuthenticatorData(bytes: Buffer): AuthenticatorData {
  if (bytes.length < headBytes) throw malformed('expected at least 37 bytes');
  const { backedUp, hasCredential, hasExtensions, ...flags } = flagsOf(bytes.readUInt8(32));
  // Section 6.1.3: such a state does not exist.
  if (backedUp && !flags.backupEligible) throw malformed('the flag BS requires the flag BE');
  const read = hasCredential ? readCredential(bytes) : undefined;
  const extensionsAt = read?.end ?? headBytes;
  const end = hasExtensions ? endOfMap(bytes, extensionsAt) : extensionsAt;
  if (end !== bytes.length) throw malformed('expected no bytes after the parts named by the flags');
  return {
    rpIdHash: bytes.subarray(0, 32),
    ...flags,
    counter: bytes.readUInt32BE(33),
    ...(read && { credential: { id: read.id, key: read.key } }),
  };
}
