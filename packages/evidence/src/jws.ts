import { digestOf, fromBase64url, utf8 } from './bytes.ts';
import { EvidenceError, type EvidenceFault } from './evidence-error.ts';

/** Strings, braces and colons. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}:]/gsu;

/**
 * Parses a JSON text, and rejects an object that has a member twice: some parsers would use the first value and some the last
 * (RFC 8259, section 4).
 *
 * @throws {SyntaxError}
 */
function parseStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    const names = objects.at(-1);
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token === ':') {
      // Names are equal whatever their escapes.
      const name = JSON.parse(last) as string;
      if (names?.has(name)) throw new SyntaxError('duplicate member');
      names?.add(name);
    }
    last = token;
  }
  return value;
}

export type Members = Record<string, unknown>;
export type Jws = { header: Members; claims: Members; input: string; signature: Uint8Array<ArrayBuffer> };

const largestJwsCharacters = 8 * 1024;
const curve = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A JWS in compact serialization (RFC 7515, section 7.1).
 *
 * @throws {EvidenceError} with this code
 */
export function readJws(text: string, code: EvidenceFault, largest = largestJwsCharacters): Jws {
  const parts = text.length > largest ? [] : text.split('.');
  const [header = '', claims = '', signature = ''] = parts;
  const bytes = fromBase64url(signature);
  if (parts.length !== 3 || !bytes) throw new EvidenceError(code);
  return {
    header: readObject(textOf(fromBase64url(header), code), code),
    claims: readObject(textOf(fromBase64url(claims), code), code),
    input: `${header}.${claims}`,
    signature: bytes,
  };
}

/** @throws {EvidenceError} with this code, if the bytes are not UTF-8 */
export function textOf(bytes: Uint8Array<ArrayBuffer> | undefined, code: EvidenceFault): string {
  try {
    if (bytes) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The error below says the same.
  }
  throw new EvidenceError(code);
}

/** @throws {EvidenceError} with this code, if the text is not a JSON object with unique members */
export function readObject(text: string, code: EvidenceFault): Members {
  try {
    const value = parseStrictly(text);
    if (isObject(value)) return value;
  } catch {
    // The one error below stands for every fault of the form.
  }
  throw new EvidenceError(code);
}

export type PublicPoint = {
  kty?: string | undefined;
  crv?: string | undefined;
  x?: string | undefined;
  y?: string | undefined;
};

/** RFC 7638: the SHA-256 of the required members, in this order. */
export const thumbprintOf = async ({ x, y }: PublicPoint): Promise<string> =>
  await digestOf(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }));

/**
 * Verifies ECDSA on P-256 with SHA-256; the signature is r and s, one after the other.
 *
 * @returns undefined if it is not a public key on P-256
 */
export async function isSigned(
  { kty, crv, x, y }: PublicPoint,
  signature: Uint8Array<ArrayBuffer>,
  input: string | Uint8Array<ArrayBuffer>,
): Promise<boolean | undefined> {
  const jwk = { kty, crv, x, y } as { kty: string; crv: string; x: string; y: string };
  const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']).catch(() => undefined);
  if (!key) return undefined;
  const bytes = typeof input === 'string' ? utf8(input) : input;
  return await crypto.subtle.verify(curve, key, signature, bytes).catch(() => false);
}
