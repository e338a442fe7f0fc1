import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { messageText } from '../../../core/domain/text.ts';

const isMessage = (text: unknown): boolean => v.is(messageText, text);

describe('a message', () => {
  test.each([
    ['plain', 'Change your e-mail address?'],
    ['emoji of several code points', '👩‍👩‍👧‍👦 ✅'],
    ['combining marks', 'Zu\u0308rich'],
    ['right to left', 'האם לאשר תשלום?'],
    ['256 emoji, which are 1,024 bytes and 512 UTF-16 units', '😀'.repeat(256)],
  ])('may be %s', (_, text) => {
    expect(v.parse(messageText, text)).toBe(text);
  });

  test.each([
    ['empty', ''],
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
        const fits = Array.from(text).length <= 256 && Buffer.byteLength(text) <= 1024 && text !== '';
        const clean = !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(text);
        expect(isMessage(text)).toBe(fits && clean);
      }),
    );
  });
});
