import { fromBase64 } from '../../evidence/src/bytes.ts';

/**
 * The key of a secret as Standard Webhooks writes it (`whsec_` and base64), also without its prefix, and with the line feed that a
 * file has behind it.
 *
 * @returns undefined if the text is no secret
 */
export function keyOfSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const [, text = ''] = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret.trim()) ?? [];
  const bytes = fromBase64(text);
  return bytes?.length ? bytes : undefined;
}

const parsed = new WeakSet<Request>();

/** Notes that a parser had read the body, so that the bytes that were signed may be gone. */
export function markParsed(request: Request): Request {
  parsed.add(request);
  return request;
}

/** Why the signature of a request is refused. */
export const signatureFault = (request: Request): string =>
  parsed.has(request)
    ? 'The signature is not valid: a parser has read the body, and what it made of it has not the bytes that were signed. Mount this route before the parser, or behind one that keeps the bytes, such as express.raw().'
    : 'The signature is not valid.';
