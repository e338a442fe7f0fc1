import { isObject } from '../../kernel/json.ts';
import { parseUnambiguous } from '../../kernel/strict-json.ts';
import { decodeUtf8 } from '../../kernel/utf8.ts';
import type { RelyingParty } from './passkey.ts';
import { verificationFailed } from './verification-failed.ts';

/** Members of clientDataJSON. Browsers may add others. */
export type ClientData = Record<string, unknown>;

/** Levels of JSON. Browsers write one. */
const deepest = 8;

function readClientData(bytes: Buffer): ClientData {
  try {
    const value = parseUnambiguous(decodeUtf8(bytes), deepest);
    if (isObject(value)) return value;
  } catch (error) {
    throw verificationFailed('Expected clientDataJSON to be a JSON object in UTF-8.', error);
  }
  throw verificationFailed('Expected clientDataJSON to be a JSON object.');
}

/**
 * Reads what the browser says about its operation (Web Authentication Level 3, sections 7.1 and 7.2).
 *
 * @param challenge base64url of a hash of what the user verified
 * @throws {Refusal} `user-verification-failed`
 */
export function readOperation(
  bytes: Buffer,
  type: 'webauthn.create' | 'webauthn.get',
  challenge: string,
): ClientData {
  const data = readClientData(bytes);
  if (data['type'] !== type) throw verificationFailed(`Expected the type "${type}" in clientDataJSON.`);
  if (data['challenge'] === challenge) return data;
  throw verificationFailed('The challenge in clientDataJSON is not that of this message.');
}

/**
 * Checks which page or app asked.
 *
 * @throws {Refusal} `user-verification-failed`
 */
export function checkOrigin(data: ClientData, { origins }: RelyingParty): void {
  const { origin, crossOrigin = false } = data;
  if (typeof origin !== 'string' || !origins.includes(origin))
    throw verificationFailed('The origin in clientDataJSON is not one of the service.');
  // A page in a frame of another origin could hide what it shows.
  if (crossOrigin !== false || 'topOrigin' in data)
    throw verificationFailed('Expected clientDataJSON without a cross-origin frame.');
}
