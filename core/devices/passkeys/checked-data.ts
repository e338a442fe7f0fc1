import { createHash } from 'node:crypto';
import { isCanonical } from '../protocol/compact.ts';
import { readAuthenticatorData, type AuthenticatorData } from './authenticator-data.ts';
import type { RelyingParty } from './passkey.ts';
import { verificationFailed } from './verification-failed.ts';

/** @throws {Refusal} `user-verification-failed` unless it is the only base64url text of its bytes */
export function decode(text: string, name: string): Buffer {
  if (isCanonical(text)) return Buffer.from(text, 'base64url');
  throw verificationFailed(`Expected ${name} in base64url without padding.`);
}

export const hash = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

function parse(bytes: Buffer): AuthenticatorData {
  try {
    return readAuthenticatorData(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw verificationFailed('authenticatorData is malformed.', error);
  }
}

/**
 * Reads authenticator data that says that the user was there and was verified.
 *
 * @throws {Refusal} `user-verification-failed`
 */
export function readVerified(bytes: Buffer): AuthenticatorData {
  const data = parse(bytes);
  if (!data.userPresent) throw verificationFailed('Expected the flag UP in authenticatorData.');
  if (!data.userVerified) throw verificationFailed('Expected the flag UV in authenticatorData.');
  return data;
}

/** @throws {Refusal} `user-verification-failed` */
export function checkRpId({ rpIdHash }: AuthenticatorData, { rpId }: RelyingParty): void {
  if (!rpIdHash.equals(hash(rpId))) throw verificationFailed('authenticatorData is for another RP ID.');
}
