import type { DeviceKey } from '../device-key.ts';

/** A credential of WebAuthn, with which the user's fingerprint, face or PIN is proved (Web Authentication Level 3, section 4). */
export type Passkey = {
  /** base64url of the credential id. */
  id: string;
  /** The host to which it belongs. */
  rpId: string;
  key: DeviceKey;
  /** Signature counter of the last accepted use; 0 for an authenticator that does not count. */
  counter: number;
};

/** What passkeys are bound to: the RP ID, and the origins of the apps that may use them. */
export type RelyingParty = { rpId: string; origins: readonly string[] };

/** The environment's form of a {@link RelyingParty}. */
export const relyingPartyOf = (env: { RP_ID: string; ORIGINS: string }): RelyingParty => ({
  rpId: env.RP_ID,
  origins: env.ORIGINS.split(','),
});
