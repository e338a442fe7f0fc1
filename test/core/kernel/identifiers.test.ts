import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { nonce, userId } from '../../../core/kernel/identifiers.ts';
import { anyCharacter } from '../../support/any-character.ts';

const allowed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~@:+-';

const text = fc.oneof(
  fc
    .array(fc.constantFrom(...Array.from(allowed)), { maxLength: 140 })
    .map((characters) => characters.join('')),
  fc.array(fc.constantFrom('.', 'a', '%', '/'), { maxLength: 4 }).map((characters) => characters.join('')),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

const isOf = (characters: string, given: string): boolean =>
  Array.from(given).every((character) => characters.includes(character));

describe('a user id', () => {
  test('has 1 to 128 characters that a path can transport, and is not a dot segment', () => {
    fc.assert(
      fc.property(text, (given) => {
        const fits = given.length >= 1 && given.length <= 128 && isOf(allowed, given);
        expect([given, v.is(userId, given)]).toEqual([given, fits && given !== '.' && given !== '..']);
      }),
      { numRuns: 2_000 },
    );
  });

  test('stays the same in the path of a URL', () => {
    fc.assert(
      fc.property(text, (given) => {
        if (!v.is(userId, given)) return;
        const { pathname } = new URL(`https://api.example.com/omi/users/${given}/devices`);
        expect(pathname).toBe(`/omi/users/${given}/devices`);
      }),
    );
  });

  test.each(['...', '.a', 'a.', '..a', '....', 'a..b'])('may be %s', (given) => {
    expect(v.is(userId, given)).toBe(true);
  });

  test.each(['.', '..', '', '%2e', 'a/b'])('may not be %j', (given) => {
    expect(v.is(userId, given)).toBe(false);
  });
});

test('a nonce has 16 to 128 allowed characters', () => {
  const characters = allowed.replaceAll(/[@:+]/g, '');
  fc.assert(
    fc.property(text, (given) => {
      const fits = given.length >= 16 && given.length <= 128 && isOf(characters, given);
      expect([given, v.is(nonce, given)]).toEqual([given, fits]);
    }),
  );
});
