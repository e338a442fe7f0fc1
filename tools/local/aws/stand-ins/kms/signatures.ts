/** Signatures over digests that the caller made. Node.js itself signs only messages, which it hashes. */
import { constants, type KeyObject, privateEncrypt } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

/** DigestInfo of SHA-256 (RFC 8017, section 9.2, note 1), before the digest. */
const sha256Info = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2.1). */
export const signRsaDigest = (key: KeyObject, digest: Buffer): Buffer =>
  privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([sha256Info, digest]));

/** ECDSA with P-256 (FIPS 186-5, section 6.4.1), in DER. Each signature of a digest is another one, as at KMS. */
export function signDigest(key: KeyObject, digest: Buffer): Buffer {
  const { d = '' } = key.export({ format: 'jwk' });
  const options = { prehash: false, lowS: false, format: 'der', extraEntropy: true } as const;
  return Buffer.from(p256.sign(digest, Buffer.from(d, 'base64url'), options));
}
