import { isObject } from '../../kernel/json.ts';
import { parseUnambiguous } from '../protocol/strict-json.ts';
import type { RelyingParty } from './passkey.ts';
import { verificationFailed } from './verification-failed.ts';

export type ExpectedClientData = {
  type: 'webauthn.create' | 'webauthn.get';
  /** base64url of the challenge, which is a hash of what the user verified. */
  challenge: string;
  relyingParty: RelyingParty;
};

/** Levels of JSON. Browsers write one; they may add members. */
const deepest = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readClientData(bytes: Buffer): Record<string, unknown> {
  try {
    const value = parseUnambiguous(utf8.decode(bytes), deepest);
    if (isObject(value)) return value;
  } catch (error) {
    throw verificationFailed('Expected clientDataJSON to be a JSON object in UTF-8.', error);
  }
  throw verificationFailed('Expected clientDataJSON to be a JSON object.');
}

/**
 * Checks what the browser says: operation, challenge, and which page asked (Web Authentication Level 3, sections 7.1 and 7.2).
 *
 * @throws {Refusal} `user-verification-failed`
 */
export function checkClientData(bytes: Buffer, { type, challenge, relyingParty }: ExpectedClientData): void {
  const data = readClientData(bytes);
  const { origin, crossOrigin = false } = data;
  if (data['type'] !== type) throw verificationFailed(`Expected the type "${type}" in clientDataJSON.`);
  if (data['challenge'] !== challenge)
    throw verificationFailed('The challenge in clientDataJSON is not that of this message.');
  if (typeof origin !== 'string' || !relyingParty.origins.includes(origin))
    throw verificationFailed('The origin in clientDataJSON is not one of the service.');
  // A page in a frame of another origin could hide what it shows.
  if (crossOrigin !== false || 'topOrigin' in data)
    throw verificationFailed('Expected clientDataJSON without a cross-origin frame.');
}
