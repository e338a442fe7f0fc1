/** Text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const joined = async (parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Blob(parts).arrayBuffer());

export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** RFC 4648, section 5, without padding. */
export const base64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** RFC 4648, section 4. `undefined` if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** `undefined` if the text is not the one text that encodes its bytes. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  return bytes && base64url(bytes) === text ? bytes : undefined;
}

export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** The SHA-256 of a text's UTF-8 bytes, in base64url. */
export const digestOf = async (text: string): Promise<string> => base64url(await sha256(utf8(text)));
