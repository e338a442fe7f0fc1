import { constants, type KeyObject, privateEncrypt } from 'node:crypto';

/** DigestInfo of SHA-256 (RFC 8017, section 9.2, note 1), before the digest. */
const sha256Info = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2.1) over a digest that the caller made. Node.js itself signs only messages. */
export const signRsaDigest = (key: KeyObject, digest: Buffer): Buffer =>
  privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([sha256Info, digest]));
