import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalJson,
  isDeeperThan,
  isObject,
  parseJson,
  withoutNeedlessEscapes,
} from '../../../core/kernel/json.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('parsing', () => {
  test.each(['12345678901234567890', '1e999', '-0', '1.0', '1E+2', '0.1000', '3.14159265358979323846'])(
    'keeps %s as it was written',
    (number) => {
      const text = `{"list":[${number},{"n":${number}}],"text":"${number}"}`;
      expect(JSON.stringify(parseJson(text))).toBe(text);
    },
  );

  test('keeps every value and every name', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
    );
    const inEscapes = fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', '~', 'é'), maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.dictionary(inEscapes, fc.nat())), (objects) => {
        const text = JSON.stringify(objects);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
      { numRuns: 1_000 },
    );
    const inherited = '{"__proto__":{"a":1},"constructor":{"prototype":1}}';
    expect(JSON.stringify(parseJson(inherited))).toBe(inherited);
  });

  test('does not treat a kept number as an object', () => {
    expect(isObject(parseJson('1.0'))).toBe(false);
  });
});

describe('unnecessary escapes', () => {
  test.each([
    [String.raw`{"\u984d":1,"\u0061" :"\u00e9"}`, '{"額":1,"a" :"é"}'],
    [String.raw`{"\/":1}`, '{"/":1}'],
    [
      String.raw`["\u0022","\u005C","\u000a","\ud83d","\"","\n"]`,
      String.raw`["\"","\\","\n","\ud83d","\"","\n"]`,
    ],
  ])('are removed if they encode one character: %s', (text, plain) => {
    expect(withoutNeedlessEscapes(text)).toBe(plain);
  });

  test.each([
    String.raw`{"a\"\u0061":1,"b":"\"\u0061\"","\u0061b":2}`,
    String.raw`["\q\"\/"]`,
    String.raw`{"a\\":"\\\/"}`,
    '{"a":1}',
    String.raw`"\u0`,
  ])('are kept in other texts and in invalid JSON: %s', (text) => {
    expect(withoutNeedlessEscapes(text)).toBe(text);
  });

  test('do not change any value', () => {
    const escaped = (text: string) =>
      text.replaceAll(/[^"\\\u0000-\u001f]/g, (c) =>
        /[\u0080-\uffff]/.test(c) ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c,
      );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: fc.constantFrom('é', '額', 'a', '\u2028', '😀'), maxLength: 2 }),
          fc.nat(),
        ),
        (value) => {
          const text = JSON.stringify(value);
          expect(JSON.stringify(parseJson(escaped(text)))).toBe(text);
          expect(JSON.stringify(parseJson(withoutNeedlessEscapes(escaped(text))))).toBe(text);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the canonical text', () => {
  const canonical = (text: string): string => canonicalJson(parseJson(text));

  test.each([
    ['the order of members', '{"b":{"y":1,"x":2},"a":[]}', '{"a":[],"b":{"x":2,"y":1}}'],
    ['white space', '{ "a" :\n[ 1,\t2 ] }', '{"a":[1,2]}'],
    ['the escapes of a character', '"\\u00e9\\/"', '"é/"'],
  ])('does not depend on %s', (_, one, other) => {
    expect(canonical(one)).toBe(canonical(other));
  });

  test.each([
    ['the order of a list', '[1,2]', '[2,1]'],
    ['digits', '[1.0]', '[1]'],
    ['a type', '["1"]', '[1]'],
    ['null and a missing member', '{"a":null}', '{}'],
    ['characters that look alike', '"\\u00e9"', '"e\\u0301"'],
    ['nested values', '[[1],2]', '[[1,2]]'],
  ])('depends on %s', (_, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as unknown;
        expect(JSON.parse(canonicalJson(sent))).toEqual(sent);
      }),
    );
  });
});

test.each([
  [0, '5', false],
  [0, '[]', true],
  [1, '{"a":1}', false],
  [1, '{"a":[]}', true],
  [2, '[[],[[]]]', true],
  [3, '[[],[[]]]', false],
])('the check for more than %i levels in %s returns %s', (levels, text, deeper) => {
  expect(isDeeperThan(levels, JSON.parse(text))).toBe(deeper);
});
