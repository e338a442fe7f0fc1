import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { deviceName, messageText } from '../../../core/kernel/text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const isMessage = (text: unknown): boolean => v.is(messageText, text);

describe('a message', () => {
  test.each([
    ['plain', 'Change your e-mail address?'],
    ['emoji of several code points', '👩‍👩‍👧‍👦 ✅'],
    ['combining marks', 'Zu\u0308rich'],
    ['right to left', 'האם לאשר תשלום?\u200f'],
    ['one letter', 'ł'],
    ['one number', '７'],
    ['one punctuation mark', '¿'],
    ['one symbol', '€'],
    ['one emoji', '✅'],
    ['a flag', '🇪🇺'],
    ['one letter among what is not seen', ' \u0301\u200da\ufeff '],
    ['256 emoji, which are 1,024 bytes and 512 UTF-16 units', '😀'.repeat(256)],
  ])('may be %s', (_, text) => {
    expect(v.parse(messageText, text)).toBe(text);
  });

  test.each([
    ['empty', ''],
    ['blanks alone', ' \u00a0\u2003\u3000'],
    ['marks alone', '\u0301\u0308'],
    ['format characters alone', '\u200b\u200d\ufeff\u00ad'],
    ['with a line separator', 'a\u2028b'],
    ['with a paragraph separator', 'a\u2029b'],
    ['of 257 code points', 'x'.repeat(257)],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\0b'],
    ['with DEL', 'a\u007fb'],
    ['with a C1 control', 'a\u0085b'],
    ['with a bidirectional override', 'pay \u202e001'],
    ['with a bidirectional isolate', 'pay \u2066001'],
    ['with a lone surrogate', 'a\ud800b'],
    ['no string', 5],
  ])('may not be %s', (_, text) => {
    expect(isMessage(text)).toBe(false);
  });

  test('has at most 1,024 bytes, and at most 256 code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const fits = Array.from(text).length <= 256 && Buffer.byteLength(text) <= 1024;
        expect(isMessage(text)).toBe(fits && isAllowed(text));
      }),
    );
  });

  test('is checked by code points, at every position', () => {
    const around = fc.string({ unit: anyCharacter, maxLength: 3 });
    fc.assert(
      fc.property(around, codePoint, around, (before, point, after) => {
        const text = `${before}${String.fromCodePoint(point)}${after}`;
        expect([text, isMessage(text)]).toEqual([text, isAllowed(text)]);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Half of them from where the rules change. */
const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x10ffff }),
  fc.integer({ min: 0, max: 0xff }),
  fc.integer({ min: 0x2000, max: 0x2070 }),
  fc.integer({ min: 0xd7f0, max: 0xe010 }),
  fc.integer({ min: 0xfe00, max: 0xffff }),
);

const between = (point: number, first: number, last: number): boolean => first <= point && point <= last;

/** The rules once more, in other words: by numbers, and by the categories that show nothing. */
function isAllowed(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const isForbidden = (point: number): boolean =>
    point < 0x20 ||
    between(point, 0x7f, 0x9f) ||
    point === 0x2028 ||
    point === 0x2029 ||
    between(point, 0x202a, 0x202e) ||
    between(point, 0x2066, 0x2069) ||
    between(point, 0xd800, 0xdfff);
  return !points.some(isForbidden) && !/^[\p{M}\p{Z}\p{C}]*$/u.test(text);
}

describe('the name of a device', () => {
  test.each(['x', '📱'.repeat(64), 'Zoë’s phone'])('may be %j', (name) => {
    expect(v.is(deviceName, name)).toBe(true);
  });

  test.each(['', ' ', '\u200b', 'x'.repeat(65), 'a\u2028b', 'a\u202eb', 'a\nb'])('may not be %j', (name) => {
    expect(v.is(deviceName, name)).toBe(false);
  });
});
