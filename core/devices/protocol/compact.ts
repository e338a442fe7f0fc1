import { isObject } from '../../kernel/json.ts';
import { parseUnambiguous } from '../../kernel/strict-json.ts';
import { decodeUtf8 } from '../../kernel/utf8.ts';

/** The parts of a compact JWS (RFC 7515, section 7.1), not verified. */
export type CompactJws = { header: Record<string, unknown>; claims: Record<string, unknown> };

/** Bytes: far above every valid message. */
export const largestMessageBytes = 8 * 1024;

/** Levels of JSON in header and claims. Valid messages have two. */
const deepest = 8;

/** Header, payload, and the 64 bytes of an ES256 signature (RFC 7518, section 3.4). */
const compact = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/** Only one text per value: base64url has unused bits that decoders ignore (RFC 4648, section 3.5). */
export const isCanonical = (text: string): boolean =>
  Buffer.from(text, 'base64url').toString('base64url') === text;

function objectIn(part: string): Record<string, unknown> {
  const value = parseUnambiguous(decodeUtf8(Buffer.from(part, 'base64url')), deepest);
  if (isObject(value)) return value;
  throw new SyntaxError('not a JSON object');
}

/**
 * Accepts only the form of a message that all JOSE libraries read in the same way.
 *
 * @returns undefined for a text that is not a compact JWS
 * @throws {SyntaxError | TypeError} for parts that are not JSON objects in UTF-8
 */
export function readCompact(jws: string): CompactJws | undefined {
  if (jws.length > largestMessageBytes) return undefined;
  const [, header = '', payload = '', signature = ''] = compact.exec(jws) ?? [];
  if (signature === '' || ![header, payload, signature].every(isCanonical)) return undefined;
  return { header: objectIn(header), claims: objectIn(payload) };
}
