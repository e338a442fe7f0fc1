import { isObject } from '../../kernel/json.ts';
import { parseUnambiguous } from './strict-json.ts';

/** A compact JWS (RFC 7515, section 7.1), taken apart without believing it. */
export type CompactJws = { header: Record<string, unknown>; claims: Record<string, unknown> };

/** Bytes of a message; far above every valid one. */
export const largestMessage = 8 * 1024;

/** Levels of JSON in header and claims; the protocol's own have two. */
const deepest = 8;

/** Header, payload, and the 64 bytes of an ES256 signature (RFC 7518, section 3.4). */
const compact = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/** One text form for one value: base64url has spare bits that a decoder ignores (RFC 4648, section 3.5). */
export const isCanonical = (text: string): boolean =>
  Buffer.from(text, 'base64url').toString('base64url') === text;

/** A byte order mark stays, and is no JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function objectIn(part: string): Record<string, unknown> {
  const value = parseUnambiguous(utf8.decode(Buffer.from(part, 'base64url')), deepest);
  if (isObject(value)) return value;
  throw new SyntaxError('no JSON object');
}

/**
 * Accepts the one spelling of a message that every JOSE library reads alike, and no other.
 *
 * @returns nothing for a text that is no compact JWS
 * @throws {SyntaxError | TypeError} for parts that are no JSON objects in UTF-8
 */
export function readCompact(jws: string): CompactJws | undefined {
  if (jws.length > largestMessage) return undefined;
  const [, header = '', payload = '', signature = ''] = compact.exec(jws) ?? [];
  if (signature === '' || ![header, payload, signature].every(isCanonical)) return undefined;
  return { header: objectIn(header), claims: objectIn(payload) };
}
