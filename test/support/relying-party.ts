import type { RelyingParty } from '../../core/devices/passkeys/passkey.ts';

/** What passkeys are bound to in tests of parts. */
export const relyingParty: RelyingParty = {
  rpId: 'service.example',
  origins: ['https://app.service.example'],
};
