import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SoftwareAuthenticator } from '../../../../client/device/software-authenticator.ts';
import { verifyAssertion } from '../../../../core/devices/passkeys/assertion.ts';
import { verifyRegistration } from '../../../../core/devices/passkeys/registration.ts';
import { sha256 } from '../../../../core/kernel/identifiers.ts';
import { relyingParty } from '../../../support/relying-party.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import * as forgedAssertions from './forged-assertions.ts';
import * as forgedPasskeys from './forged-passkeys.ts';

const { rpId, origins } = relyingParty;
const authenticator = new SoftwareAuthenticator({ rpId, origin: origins[0] ?? '' });
const code = 'a-one-time-code';
const created = authenticator.create(code);
const device = verifyRegistration(created, code, relyingParty);
const decided = {
  challengeId: sha256('challenge'),
  messageHash: sha256('message'),
  contextHash: sha256('context'),
  decision: 'confirm',
} as const;
const assertion = authenticator.assert(decided, 'confirm');

const flipped = (text: string, bit: number): string => {
  const bytes = Buffer.from(text, 'base64url');
  const index = Math.floor(bit / 8) % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << (bit % 8)), index);
  return bytes.toString('base64url');
};

const refusal = expect.objectContaining({ code: 'user-verification-failed' });

test('a registered passkey is recorded with the host to which it belongs', () => {
  expect(device.passkey).toMatchObject({ id: created.id, rpId, counter: 0 });
});

test('a registered passkey begins with the counter of its registration, so that an older copy is refused', () => {
  const counted = verifyRegistration(authenticator.create(code, { counter: 41 }), code, relyingParty);
  const asserted = (counter: number) =>
    verifyAssertion(authenticator.assert(decided, 'confirm', { counter }), decided, counted, relyingParty);
  expect(() => asserted(41)).toThrow(expect.objectContaining({ code: 'passkey-counter' }));
  expect(asserted(42)).toBe(42);
});

describe('an assertion', () => {
  test('is valid', () => {
    expect(verifyAssertion(assertion, decided, device, relyingParty)).toBe(0);
  });

  // The same through the API: test/contract/user-verification.test.ts.
  test.each(forgedAssertions.deviations)('is refused: %s', (_, deviation) => {
    const claim = authenticator.assert(decided, 'confirm', deviation);
    expect(() => verifyAssertion(claim, decided, device, relyingParty)).toThrow(refusal);
  });

  test.each(forgedAssertions.changes)('is refused if its claim has %s', (_, change) => {
    const claim = change(assertion) as typeof assertion;
    expect(() => verifyAssertion(claim, decided, device, relyingParty)).toThrow(refusal);
  });

  test('is refused with any bit changed', () => {
    const member = fc.constantFrom('id', 'authenticatorData', 'clientDataJSON', 'signature' as const);
    fc.assert(
      fc.property(member, fc.nat(4_000), (name, bit) => {
        const changed = { ...assertion, [name]: flipped(assertion[name], bit) };
        expect(() => verifyAssertion(changed, decided, device, relyingParty)).toThrow(refusal);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('is refused as any text', () => {
    const text = fc.string({ maxLength: 200 });
    fc.assert(
      fc.property(fc.record({ authenticatorData: text, clientDataJSON: text, signature: text }), (texts) => {
        const forged = { id: device.passkey.id, ...texts };
        expect(() => verifyAssertion(forged, decided, device, relyingParty)).toThrow(refusal);
      }),
    );
  });

  test('is bound to the confirmed details, or to their absence', () => {
    const detailed = { ...decided, detailsHash: sha256('details') };
    const claim = authenticator.assert(detailed, 'confirm');
    expect(verifyAssertion(claim, detailed, device, relyingParty)).toBe(0);
    for (const other of [decided, { ...decided, detailsHash: sha256('other details') }])
      expect(() => verifyAssertion(claim, other, device, relyingParty)).toThrow(refusal);
    expect(() => verifyAssertion(assertion, detailed, device, relyingParty)).toThrow(refusal);
  });

  test('is refused on a device without a passkey', () => {
    expect(() => verifyAssertion(assertion, decided, {}, relyingParty)).toThrow(refusal);
  });

  test.each<[number, number, boolean]>([
    [0, 0, true],
    [0, 1, true],
    [1, 2, true],
    [1, 1, false],
    [2, 1, false],
    [1, 0, false],
    [0xffffffff, 0, false],
  ])('has a counter that must grow: last %d, next %d, accepted: %s', (before, counter, isAccepted) => {
    const counted = { ...device, passkey: { ...device.passkey, counter: before } };
    const claim = authenticator.assert(decided, 'confirm', { counter });
    const verify = () => verifyAssertion(claim, decided, counted, relyingParty);
    if (isAccepted) expect(verify()).toBe(counter);
    else expect(verify).toThrow(expect.objectContaining({ code: 'passkey-counter' }));
  });

  test.each([true, false])('keeps its flag BE; synced: %s', (synced) => {
    const other = { ...device, passkeySynced: synced };
    const verify = () => verifyAssertion(assertion, decided, other, relyingParty);
    if (synced) expect(verify).toThrow(refusal);
    else expect(verify()).toBe(0);
  });
});

describe('a registration', () => {
  test.each(forgedPasskeys.deviations)('is refused: %s', (_, deviation) => {
    const claim = authenticator.create(code, deviation);
    expect(() => verifyRegistration(claim, code, relyingParty)).toThrow(refusal);
  });

  test.each(forgedPasskeys.changes)('is refused if its claim has %s', (_, change) => {
    const claim = change(created) as typeof created;
    expect(() => verifyRegistration(claim, code, relyingParty)).toThrow(refusal);
  });

  /** AAGUID, counter and flags are not bound to anything without an attestation. */
  const unbound = (bit: number): boolean => {
    const index = Math.floor(bit / 8) % Buffer.from(created.authenticatorData, 'base64url').length;
    return index >= 32 && index < 53;
  };

  test('is refused with any bit of id, key, RP ID or client data changed', () => {
    const member = fc.constantFrom('id', 'authenticatorData', 'clientDataJSON' as const);
    fc.assert(
      fc.property(member, fc.nat(4_000), (name, bit) => {
        fc.pre(name !== 'authenticatorData' || !unbound(bit));
        const text = created[name as 'id'];
        const changed = { ...created, [name]: flipped(text, bit) };
        fc.pre(name !== 'clientDataJSON' || !isSameClientData(changed.clientDataJSON));
        expect(() => verifyRegistration(changed, code, relyingParty)).toThrow(refusal);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  /** The names of members that nobody reads may change. */
  const isSameClientData = (text: string): boolean => {
    try {
      const { type, challenge, origin, crossOrigin } = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as Record<string, unknown>;
      return (
        type === 'webauthn.create' &&
        challenge === sha256(code) &&
        origin === origins[0] &&
        (crossOrigin === undefined || crossOrigin === false)
      );
    } catch {
      return false;
    }
  };
});
