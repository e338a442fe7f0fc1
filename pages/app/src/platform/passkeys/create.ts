import { base64url, registrationChallenge, settings, type PasskeyRegistration } from '#device';
import type { Passkey, PendingEnrolment } from '../platform.ts';
import { outcomeOf } from './outcome.ts';

/** Time for the user to find the finger, in milliseconds. */
const timeoutMs = 120_000;
const es256 = -7;

type Created =
  | { outcome: 'created'; passkey: NonNullable<PendingEnrolment['passkey']> }
  | { outcome: 'cancelled' | 'unavailable' };

/**
 * Creates a passkey that the code of an enrolment is bound to.
 *
 * @param appName the name of this app, beside that of the account
 */
export async function createPasskey(
  { link, preview, passkeyHandle }: PendingEnrolment,
  appName: string,
): Promise<Created> {
  if (!('PublicKeyCredential' in globalThis)) return { outcome: 'unavailable' };
  const { rpId } = await settings(location.origin);
  const challenge = await registrationChallenge(link.code);
  const { tenant, account } = preview;
  const name = account === undefined ? tenant : `${tenant} · ${account}`;
  try {
    const credential = await navigator.credentials.create({
      publicKey: {
        challenge,
        rp: { id: rpId, name: appName },
        // Lists of passkeys show the name of the account. A handle of its own keeps those of several accounts apart.
        user: { id: passkeyHandle, name, displayName: name },
        pubKeyCredParams: [{ type: 'public-key', alg: es256 }],
        authenticatorSelection: {
          ...(await attachment()),
          userVerification: 'required',
          // The app always names the credential. It need not be in a list of sign-ins, or leave this device.
          residentKey: 'discouraged',
        },
        attestation: 'none',
        timeout: timeoutMs,
      },
    });
    const registration = credential && (await registrationOf(credential as PublicKeyCredential));
    return registration
      ? { outcome: 'created', passkey: { registration, rpId } }
      : { outcome: 'unavailable' };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Deletes the passkey of an account that is gone from the user's list of passkeys, in browsers that can. */
export async function forgetPasskey({ id, rpId }: Passkey): Promise<void> {
  const { PublicKeyCredential: api } = globalThis as { PublicKeyCredential?: SignalApi };
  await api?.signalUnknownCredential?.({ rpId, credentialId: id }).catch(() => undefined);
}

type SignalApi = {
  signalUnknownCredential?: (options: { rpId: string; credentialId: string }) => Promise<void>;
};

/** A device without fingerprint, face or PIN of its own may use a security key. */
async function attachment(): Promise<{ authenticatorAttachment?: 'platform' }> {
  const hasOwn = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
  return hasOwn ? { authenticatorAttachment: 'platform' } : {};
}

async function registrationOf({
  id,
  response,
}: PublicKeyCredential): Promise<PasskeyRegistration | undefined> {
  const { clientDataJSON } = response;
  if (!(response instanceof AuthenticatorAttestationResponse)) return undefined;
  const spki = response.getPublicKey();
  const publicKey = spki && (await publicJwkOf(spki));
  if (!publicKey) return undefined;
  return {
    id,
    publicKey,
    authenticatorData: base64url(new Uint8Array(response.getAuthenticatorData())),
    clientDataJSON: base64url(new Uint8Array(clientDataJSON)),
  };
}

async function publicJwkOf(spki: ArrayBuffer): Promise<PasskeyRegistration['publicKey'] | undefined> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']);
  const { x, y } = await crypto.subtle.exportKey('jwk', key);
  return x === undefined || y === undefined ? undefined : { kty: 'EC', crv: 'P-256', x, y };
}
