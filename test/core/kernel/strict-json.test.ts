import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseUnambiguous } from '../../../core/kernel/strict-json.ts';
import { anyCharacter } from '../../support/any-character.ts';

const parse = (text: string) => parseUnambiguous(text, 3);

describe('an unambiguous JSON text', () => {
  test('is parsed as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseUnambiguous(text, 5)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{},"a":2}',
    String.raw`{"alg":1,"\u0061lg":2}`,
    String.raw`{"a\/b":1,"a/b":2}`,
    '{"x":{"a":1,"a":2}}',
    '{"x":[{"a":1,"a":2}]}',
    '{ "a" : 1 ,\n\t"a" : 2 }',
    '{"":1,"":2}',
    String.raw`{"\ud83d\ude00":1,"😀":2}`,
    '{"__proto__":1,"__proto__":2}',
  ])('has no duplicate member: %s', (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(() => parse(text)).toThrow(SyntaxError);
  });

  test.each([
    '{"a":"a","b":"a"}',
    '{"a":["a","a"],"b":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    String.raw`{"a":"\"b\":","b":"{\"a\":1,\"a\":2}"}`,
    '{"a":"}","b":"{[,:"}',
    String.raw`{"a\\":1,"a":2}`,
    '"a"',
    '7',
  ])('may repeat a name in other places: %s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('any duplicate name in an object is rejected', () => {
    const names = fc.uniqueArray(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 6 });
    const escaped = (name: string) =>
      `"${[...Array(name.length).keys()].map((at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(names, fc.nat(), (unique, at) => {
        const members = unique.map((name) => `${JSON.stringify(name)}:{}`);
        expect(Object.keys(parse(`{${members.join()}}`) as object)).toHaveLength(unique.length);
        const again = `${escaped(unique[at % unique.length] ?? '')}:[]`;
        expect(() => parse(`{${[...members, again].join()}}`)).toThrow('duplicate member');
      }),
    );
  });

  test('has a limited depth, which is checked without recursion', () => {
    expect(parse('[[[1]]]')).toEqual([[[1]]]);
    expect(() => parse('[[[[1]]]]')).toThrow('levels');
    expect(() => parse('[{"a":{"b":[]}}]')).toThrow('levels');
    expect(() => parse('['.repeat(1_000_000))).toThrow('levels');
  });

  test.each([
    '',
    '{',
    '{"a"}',
    '{"a":1,}',
    '{a:1}',
    '"a',
    '{"a":1}}',
    '\uFEFF{}',
    "{'a':1}",
    'NaN',
    '{"a" "b"}',
  ])('must be JSON: %j is rejected', (text) => {
    expect(() => parse(text)).toThrow(SyntaxError);
  });
});
