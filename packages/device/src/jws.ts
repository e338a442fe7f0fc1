import { base64url, utf8 } from './bytes.ts';
import { DeviceError } from './device-error.ts';
import type { DeviceKey } from './device-key.ts';

/** Two numbers of 32 bytes (RFC 7518, section 3.4). */
const signatureBytes = 64;

/** Makes a compact JWS (RFC 7515) with ES256. */
export async function signCompact(
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
  key: DeviceKey,
): Promise<string> {
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`;
  const signature = await key.sign(utf8(input));
  if (signature.length !== signatureBytes) throw new DeviceError('invalid-key');
  return `${input}.${base64url(signature)}`;
}

const encode = (part: Record<string, unknown>): string => base64url(utf8(JSON.stringify(part)));
