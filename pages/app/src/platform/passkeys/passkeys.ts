import { assertionChallenge, base64url, type Challenge, type UserVerification } from '#device';
import type { Account, AssertionOutcome, Passkey, Passkeys } from '../platform.ts';
import { outcomeOf } from './outcome.ts';

/** The bytes of a text in base64url (RFC 4648, section 5). */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export class BrowserPasskeys implements Passkeys {
  async available(): Promise<boolean> {
    if (!('PublicKeyCredential' in globalThis)) return false;
    return await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  }

  async assert(
    { passkey }: Account,
    challenge: Challenge,
    decision: 'confirm' | 'deny',
  ): Promise<AssertionOutcome> {
    return await ask(passkey, await assertionChallenge(challenge, decision), challenge.expiresInMs);
  }

  async assertRemoval({ passkey }: Account, challenge: Uint8Array<ArrayBuffer>): Promise<AssertionOutcome> {
    return await ask(passkey, challenge, removalTimeoutMs);
  }
}

/** Milliseconds. */
const removalTimeoutMs = 120_000;

async function ask(
  passkey: Passkey | undefined,
  challenge: Uint8Array<ArrayBuffer>,
  timeout: number,
): Promise<AssertionOutcome> {
  if (!passkey || !('PublicKeyCredential' in globalThis)) return { outcome: 'unavailable' };
  try {
    const userVerification = await assertion(passkey, challenge, timeout);
    return userVerification ? { outcome: 'verified', userVerification } : { outcome: 'unavailable' };
  } catch (error) {
    return outcomeOf(error);
  }
}

async function assertion(
  { id, rpId }: Passkey,
  challenge: Uint8Array<ArrayBuffer>,
  timeout: number,
): Promise<UserVerification | undefined> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge,
      rpId,
      allowCredentials: [{ type: 'public-key', id: bytesOf(id) }],
      userVerification: 'required',
      timeout,
    },
  });
  const { response } = (credential ?? {}) as Partial<PublicKeyCredential>;
  if (!(response instanceof AuthenticatorAssertionResponse)) return undefined;
  return {
    id,
    authenticatorData: base64url(new Uint8Array(response.authenticatorData)),
    clientDataJSON: base64url(new Uint8Array(response.clientDataJSON)),
    signature: base64url(new Uint8Array(response.signature)),
  };
}
