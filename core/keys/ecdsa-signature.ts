/** Bytes of each of the two numbers of a signature on P-256. */
const size = 32;

/** An INTEGER of DER as a number of fixed length; DER drops leading zeros, and adds one where a number would be negative. */
function numberOf(content: Buffer): Buffer {
  const significant = content.subarray(Math.max(0, content.length - size));
  const isTooLong = content.subarray(0, content.length - significant.length).some((byte) => byte !== 0);
  if (isTooLong || content.length === 0) throw new Error('The signature is malformed.');
  return Buffer.concat([Buffer.alloc(size - significant.length), significant]);
}

/**
 * From the form of KMS, `SEQUENCE { r INTEGER, s INTEGER }` in DER (RFC 3279, section 2.2.3), to that of JWS: both numbers
 * in 32 bytes each (RFC 7518, section 3.4).
 *
 * @throws {Error} if the signature is not on P-256
 */
export function joseSignature(der: Uint8Array): Buffer {
  const bytes = Buffer.from(der);
  const rLength = bytes[3] ?? 0;
  const sLength = bytes[5 + rLength] ?? 0;
  const hasForm =
    bytes[0] === 0x30 &&
    bytes[1] === bytes.length - 2 &&
    bytes[2] === 0x02 &&
    bytes[4 + rLength] === 0x02 &&
    6 + rLength + sLength === bytes.length;
  if (!hasForm) throw new Error('The signature is malformed.');
  return Buffer.concat([numberOf(bytes.subarray(4, 4 + rLength)), numberOf(bytes.subarray(6 + rLength))]);
}
