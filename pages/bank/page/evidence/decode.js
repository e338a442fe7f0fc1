/** @typedef {{ header: Record<string, unknown>, claims: Record<string, unknown> }} Decoded */

/**
 * The three parts of a compact JWS.
 *
 * @param {string} jws
 */
export function partsOf(jws) {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  return { header, claims, signature };
}

/**
 * What the evidence says.
 *
 * @param {string} jws
 * @returns {Decoded | undefined} undefined if it is not readable, as after a change
 */
export function decode(jws) {
  const { header, claims } = partsOf(jws);
  try {
    return { header: objectOf(header), claims: objectOf(claims) };
  } catch {
    return undefined;
  }
}

/**
 * @param {string} part
 * @returns {Record<string, unknown>}
 */
function objectOf(part) {
  /** @type {unknown} */
  const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('Not an object');
  return { ...value };
}

/**
 * @param {string} text base64url
 * @returns {Uint8Array<ArrayBuffer>}
 */
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/** @param {Uint8Array} bytes */
export const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** @param {string} text */
export const hashOf = async (text) =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
