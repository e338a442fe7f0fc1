/** Whatever the service accepts, others accept as well: else evidence that it stores would prove nothing to them. */
import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMessage, verify } from '../../../../core/devices/protocol/jws.ts';
import { thumbprintOf } from '../../../../core/devices/device.ts';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import { Refusal } from '../../../../core/kernel/refusal.ts';
import { signTexts } from '../../../../client/device/jws.ts';
import { acceptedBy } from '../../../support/jose-libraries.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const audience = 'https://api.example.com';
const now = Date.UTC(2026, 0, 1);
const type = 'omi-response+jws';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = createPublicKey(privateKey).export({ format: 'jwk' }) as unknown as DeviceKey;
const reading = { type, audience, key, now };
const expected = { baseUrls: [audience] as const, key, now };

async function serviceAccepts(jws: string): Promise<boolean> {
  try {
    await verify(readMessage(jws, type), expected);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const header = { alg: 'ES256', typ: type, kid: randomUUID() };
const claims = { aud: audience, iat: now / 1000, jti: randomUUID(), jkt: thumbprintOf(key) };

/** Values at the edges of what is allowed, and beyond. */
const seconds = fc.oneof(
  fc.double({ min: -400, max: 400, noNaN: true }).map((offset) => now / 1000 + offset),
  fc.constantFrom<unknown>(null, '0', true, {}, 1e308, -1e308),
);

const otherClaims = fc
  .dictionary(fc.string({ unit: anyCharacter, minLength: 1 }), fc.jsonValue({ maxDepth: 2 }))
  .map((others) => Object.fromEntries(Object.entries(others).filter(([name]) => name !== '__proto__')));

const validClaims = fc.record({
  others: otherClaims,
  iat: fc.double({ min: now / 1000 - 300, max: now / 1000 + 60, noNaN: true }),
  times: fc.record(
    {
      exp: fc.double({ min: now / 1000 + 1, max: now / 1000 + 600, noNaN: true }),
      nbf: fc.double({ min: now / 1000 - 600, max: now / 1000 + 60, noNaN: true }),
    },
    { requiredKeys: [] },
  ),
});

const indent = fc.constantFrom(0, 1, '\t');

const valid = fc.tuple(validClaims, indent).map(([{ others, iat, times }, space]) =>
  signTexts({
    header: JSON.stringify(header, null, space),
    payload: JSON.stringify({ ...others, ...claims, iat, ...times }, null, space),
    key: privateKey,
  }),
);

test('all three libraries accept valid messages', async () => {
  await fc.assert(
    fc.asyncProperty(valid, async (jws) => {
      expect(await serviceAccepts(jws)).toBe(true);
      expect(await acceptedBy(jws, reading)).toEqual({ jose: true, jsonwebtoken: true });
    }),
    { numRuns: propertyRuns(200) },
  );
});

/** JSON texts that are nearly right, and signed all the same. */
const member = fc.tuple(
  fc.constantFrom(
    '"alg"',
    '"typ"',
    '"kid"',
    '"aud"',
    '"iat"',
    '"jti"',
    '"exp"',
    '"nbf"',
    '"\\u0061ud"',
    '"crit"',
    '"b64"',
    '"jwk"',
    '"x"',
  ),
  fc.oneof(
    seconds.map((value) => JSON.stringify(value)),
    fc.constantFrom(
      JSON.stringify(audience),
      `["${audience}"]`,
      '"ES256"',
      '"none"',
      `"${type}"`,
      '[]',
      '{"a":1,"a":2}',
    ),
  ),
);

const textWith = (object: object, extra: [string, string][], first: boolean): string => {
  const members = [JSON.stringify(object).slice(1, -1)];
  const added = extra.map((pair) => pair.join(':'));
  return `{${(first ? [...added, ...members] : [...members, ...added]).join()}}`;
};

const nearlyValid = fc
  .record({
    inHeader: fc.array(member, { maxLength: 1 }),
    inPayload: fc.array(member, { maxLength: 2 }),
    first: fc.boolean(),
  })
  .map(({ inHeader, inPayload, first }) =>
    signTexts({
      header: textWith(header, inHeader, first),
      payload: textWith(claims, inPayload, first),
      key: privateKey,
    }),
  );

const alphabet = 'AQgwx019-_=+/ .\n';

/** One character of a message changed, added or left out. */
const altered = fc
  .record({
    jws: fc.oneof(valid, nearlyValid),
    at: fc.nat(),
    kind: fc.constantFrom('change', 'add', 'remove'),
    by: fc.constantFrom(...Array.from(alphabet)),
  })
  .map(({ jws, at, kind, by }) => {
    const position = at % (jws.length + 1);
    return (
      jws.slice(0, position) + (kind === 'remove' ? '' : by) + jws.slice(position + (kind === 'add' ? 0 : 1))
    );
  });

test('both other libraries accept every altered message that the service accepts', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearlyValid, altered), async (jws) => {
      if (!(await serviceAccepts(jws))) return;
      accepted += 1;
      expect(await acceptedBy(jws, reading)).toEqual({ jose: true, jsonwebtoken: true });
    }),
    { numRuns: 1500 },
  );
  expect(accepted).toBeGreaterThan(20);
});
