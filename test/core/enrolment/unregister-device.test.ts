import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { SoftwareAuthenticator } from '../../../client/device/software-authenticator.ts';
import type { Device } from '../../../core/devices/device.ts';
import { verifyRegistration } from '../../../core/devices/passkeys/registration.ts';
import { verifyRemoval } from '../../../core/enrolment/unregister-device.ts';
import { relyingParty } from '../../support/relying-party.ts';

const { rpId, origins } = relyingParty;
const authenticator = new SoftwareAuthenticator({ rpId, origin: origins[0] ?? '' });
const code = 'a-one-time-code';
const device = {
  deviceId: 'phone',
  ...verifyRegistration(authenticator.create(code), code, relyingParty),
} as unknown as Device;

/** Over a text of which the device protocol says what it is. */
const assertionOver = (text: string, deviation = {}) =>
  authenticator.assertOver(createHash('sha256').update(text).digest(), deviation);

const removalWith = (userVerification: ReturnType<typeof assertionOver> | undefined, isRequired: boolean) => {
  const claims = { jti: 'jti-1', ...(userVerification && { userVerification }) };
  return () => verifyRemoval(claims, device, { requiresVerification: isRequired, relyingParty });
};

const refusedWith = (code: string) => expect.objectContaining({ code }) as unknown;

test('a device whose user was verified for just this removal may remove itself', () => {
  expect(removalWith(assertionOver('unregister.phone.jti-1'), true)).not.toThrow();
});

test('a removal without a verified user is refused where the tenant requires it, and only there', () => {
  expect(removalWith(undefined, true)).toThrow(refusedWith('user-verification-required'));
  expect(removalWith(undefined, false)).not.toThrow();
});

test.each([
  ['another removal', assertionOver('unregister.phone.jti-2')],
  ['another device', assertionOver('unregister.tablet.jti-1')],
  ['something else', assertionOver('phone.jti-1')],
  [
    'the removal, by a user who was present and not verified',
    assertionOver('unregister.phone.jti-1', { flags: 1 }),
  ],
])('an assertion for %s is refused, whatever the tenant requires', (_, forged) => {
  for (const isRequired of [true, false])
    expect(removalWith(forged, isRequired)).toThrow(refusedWith('user-verification-failed'));
});
