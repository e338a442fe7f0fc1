import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAuthorizationDetails } from '../../../core/confirmations/authorization-details.ts';
import type { FieldFault } from '../../../core/kernel/refusal.ts';

const payment = { type: 'payment', amount: '16.00', currency: 'EUR', to: { name: 'Café Zoë' } };

const faultsOf = (given: unknown): FieldFault[] => {
  const parsed = parseAuthorizationDetails(given);
  return 'faults' in parsed ? parsed.faults : [];
};
const pointers = (given: unknown): string[] => faultsOf(given).map(({ pointer }) => pointer);
const isValid = (given: unknown): boolean => faultsOf(given).length === 0;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A list with objects and lists down to the given level; the list itself is the first. */
const nested = (levels: number): string =>
  `[{"type":"t","a":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}]`;

/** A list whose text has this many bytes. */
const sized = (bytes: number, character = 'x'): string => {
  const empty = '[{"type":"t","a":""}]'.length;
  const width = Buffer.byteLength(character);
  const rest = (bytes - empty) % width;
  return `[{"type":"t","a":"${character.repeat(Math.floor((bytes - empty) / width))}${'x'.repeat(rest)}"}]`;
};

describe('valid details', () => {
  test('are returned with their text, its hash and the list', () => {
    const text = JSON.stringify([payment]);
    const expected = { text, hash: hashOf(text), details: [payment] };
    expect(parseAuthorizationDetails([payment])).toEqual(expected);
    expect(parseAuthorizationDetails(text)).toEqual(expected);
  });

  test('keep the original text, with its spaces, escapes and digits', () => {
    const text = ' [ {"type" : "p\\u0061y",\n"amount": 16.00, "rate":1.5e1} ]\t';
    expect(parseAuthorizationDetails(text)).toEqual({
      text,
      hash: hashOf(text),
      details: [{ type: 'pay', amount: 16, rate: 15 }],
    });
  });

  test.each([
    ['of any type', '[{"type":"https://example.org/😀 any"}]'],
    ['with several elements', '[{"type":"a"},{"type":"a"},{"type":"b"}]'],
    ['with values of every kind', '[{"type":"t","a":null,"b":true,"c":[],"d":{},"e":"","f":-1.5e-7,"":0}]'],
    ['with the same name in other objects', '[{"type":"t","a":{"type":1,"a":{"a":1}}},{"type":"t","a":1}]'],
    ['with five levels', nested(5)],
    ['with 4,096 bytes', sized(4096)],
    ['with 4,096 bytes of emoji', sized(4096, '😀')],
    [
      'with the longest numbers of a double',
      '[{"type":"t","a":[9007199254740991,5e-324,1.7976931348623157e308,0.30000000000000004]}]',
    ],
    ['with a text from right to left', '[{"type":"t","לאשר":"תשלום"}]'],
    [
      'with joiners that words and emoji need',
      '[{"type":"t","می\u200cخواهم":"👨\u200d👩\u200d👧 क्\u200dष"}]',
    ],
    ['with a member that every object inherits', '[{"type":"t","constructor":"x","toString":"y"}]'],
    ['with names that look similar', '[{"type":"t","masse":1,"maße":2,"mase":3,"n1":4,"n2":5}]'],
    ['with names of one character', String.raw`[{"type":"t","a":1,"é":2,"/":3,"\\":4,"😀":5}]`],
  ])('are accepted %s', (_, text) => {
    expect(faultsOf(text)).toEqual([]);
    expect(faultsOf(JSON.parse(text))).toEqual([]);
  });
});

describe('invalid details', () => {
  test.each([
    ['not a list', '{"type":"t"}', ''],
    ['null', 'null', ''],
    ['only a number', '5', ''],
    ['an empty list', '[]', ''],
    ['a list with a text', '[{"type":"t"},"t"]', '/1'],
    ['a list with null', '[null]', '/0'],
    ['a list in a list', '[[{"type":"t"}]]', '/0'],
    ['without a type', '[{"type":"t"},{"Type":"t"}]', '/1/type'],
    ['with a number as type', '[{"type":5}]', '/0/type'],
    ['with an empty type', '[{"type":""}]', '/0/type'],
    ['with an invisible type', '[{"type":" \u0301\u3000"}]', '/0/type'],
    ['with six levels', nested(6), ''],
    ['with thousands of levels', nested(2000), ''],
    ['with 4,097 bytes', sized(4097), ''],
    ['with 4,097 bytes of emoji', sized(4097, '😀'), ''],
    ['with a line break', String.raw`[{"type":"t","a":"1\n2"}]`, '/0/a'],
    ['with a line break in its type', String.raw`[{"type":"t\n"}]`, '/0/type'],
    ['with NUL in a list', String.raw`[{"type":"t","a":["b","\u0000"]}]`, '/0/a/1'],
    ['with a bidirectional override', String.raw`[{"type":"t","a":{"b":"\u202e001"}}]`, '/0/a/b'],
    ['with a lone surrogate', String.raw`[{"type":"t","a":"\ud800"}]`, '/0/a'],
    ['with a control in a name', String.raw`[{"type":"t","a/\u0085":1}]`, '/0/a~1\u0085'],
    ['with a line separator in a name', String.raw`[{"type":"t","a":{"b\u2028":1}}]`, '/0/a/b\u2028'],
    ['with a name in another case', '[{"type":"t","a":1,"Type":"u"}]', '/0/Type'],
    [
      'with a name that only Go reads as another',
      '[{"type":"t","a":{"ks":1,"\u212a\u017f":2}}]',
      '/0/a/\u212a\u017f',
    ],
    ['with a name in another encoding', '[{"type":"t","caf\u00e9":1,"cafe\u0301":2}]', '/0/cafe\u0301'],
    [
      'with names that differ only in a selector',
      '[{"type":"t","a":[{"☎":1,"☎\ufe0e":2}]}]',
      '/0/a/0/☎\ufe0e',
    ],
    ['with an invisible name', '[{"type":"t","\u00ad":2}]', '/0/\u00ad'],
    ['with a mark that reorders digits', '[{"type":"t","amount":"1\u200f0,\u061c9"}]', '/0/amount'],
    ['with a joiner in a name', '[{"type":"t","am\u200dount":1}]', '/0/am\u200dount'],
    ['with __proto__', '[{"type":"t","__proto__":{"admin":true}}]', '/0/__proto__'],
    ['with a prototype', '[{"type":"t","constructor":{"prototype":1}}]', '/0/constructor'],
  ])('are rejected: %s', (_, text, pointer) => {
    expect(pointers(text)).toEqual([pointer]);
    expect(pointers(JSON.parse(text))).toEqual([pointer]);
  });

  test.each([
    ['invalid JSON', '[{"type":"t"},]', ''],
    ['an empty text', '', ''],
    ['with a byte order mark', '\ufeff[{"type":"t"}]', ''],
    ['a duplicate member', '[{"type":"t","amount":1,"amount":2}]', '/0/amount'],
    ['a duplicate type', '[{"type":"t","type":"t"}]', '/0/type'],
    ['a duplicate member by an escape', String.raw`[{"type":"t","a":[{"b":1,"\u0062":1}]}]`, '/0/a/0/b'],
    ['a quotation mark as a name', String.raw`[{"type":"t","\"":1}]`, '/0/"'],
    ['a name of one character with an escape', String.raw`[{"type":"t","\u0061":1,"\\":2}]`, '/0/a'],
    [
      'an escaped control that a reader may lose',
      String.raw`[{"t":0,"type":"t","\u202e":1,"":2}]`,
      '/0/\u202e',
    ],
    ['an integer that a double changes', '[{"type":"t","a":12345678901234567890}]', '/0/a'],
    ['the first integer that a double changes', '[{"type":"t","a":[1,9007199254740993]}]', '/0/a/1'],
    ['a number too large for a double', '[{"type":"t","a":1e400}]', '/0/a'],
    ['a number that a double makes 0', '[{"type":"t","a":1e-400}]', '/0/a'],
    ['a fraction that a double changes', '[{"type":"t","a":0.1000000000000000055511}]', '/0/a'],
    ['a number of a thousand digits', `[{"type":"t","a":1${'0'.repeat(1000)}}]`, '/0/a'],
  ])('are rejected as text: %s', (_, text, pointer) => {
    expect([...new Set(pointers(text))]).toEqual([pointer]);
  });

  test('are reported with all faults at once', () => {
    expect(pointers(String.raw`[{"a":"\n","b":1,"b":1e999},5]`)).toEqual([
      '/0/b',
      '/0/b',
      '/0/type',
      '/1',
      '/0/a',
    ]);
  });

  test('are reported without their values', () => {
    const faults = JSON.stringify(faultsOf('[{"type":5,"iban":"secret\\n"},"secret"]'));
    expect(faults).not.toContain('secret');
  });

  test('are rejected quickly, however they are made', () => {
    const start = process.cpuUsage();
    const hostile = ['['.repeat(2_000_000), `"${'\\"'.repeat(1_000_000)}`, `[${'0'.repeat(4000)}`];
    for (const text of hostile) expect(isValid(text)).toBe(false);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
  });
});

/** Characters around which the rules change, besides usual ones. */
const text = fc.string({
  unit: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom('a', 'é', '€', '😀', ' ', '~', '"', '\\', '/') },
    fc.constantFrom('\n', '\u007f', '\u0085', '\u2028', '\u202e', '\u2069', '\ud800', '\udc00', '\u200f'),
  ),
  maxLength: 4,
});
const name = fc.oneof(
  { weight: 9, arbitrary: text },
  fc.constantFrom('type', 'tYpe', '__proto__', 'constructor'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const typed = fc.tuple(fc.dictionary(name, value, { maxKeys: 4 }), text).map(([members, type]) => ({
  ...members,
  type,
}));
const list = fc.oneof(
  { weight: 9, arbitrary: fc.array(typed, { maxLength: 3 }) },
  fc.array(value, { maxLength: 2 }),
);

/** The rules once more, in other words. */
const levelsOf = (of: unknown): number =>
  typeof of === 'object' && of !== null ? 1 + Math.max(0, ...Object.values(of).map(levelsOf)) : 0;
const namesAndTexts = (of: unknown): string[] => {
  if (typeof of === 'string') return [of];
  if (typeof of !== 'object' || of === null) return [];
  return [...(Array.isArray(of) ? [] : Object.keys(of)), ...Object.values(of).flatMap(namesAndTexts)];
};
const isReadable = (read: string): boolean =>
  /^[\u0020-\u007e\u00a0-\u200a\u2010-\u2027\u{20a0}-\u{d7ff}\u{e000}-\u{fdff}\u{10000}-\u{1ffff}]*$/u.test(
    read,
  );
const hasPrototype = (of: unknown): boolean =>
  typeof of === 'object' &&
  of !== null &&
  (Object.hasOwn(of, '__proto__') ||
    Object.entries(of).some(
      ([at, inner]) =>
        hasPrototype(inner) ||
        (at === 'constructor' &&
          typeof inner === 'object' &&
          inner !== null &&
          !Array.isArray(inner) &&
          'prototype' in inner),
    ));
/** As people sort words: case and characters that are not shown make no difference. */
const { compare } = new Intl.Collator('en', { sensitivity: 'accent' });
const hasUnclearNames = (of: unknown): boolean => {
  if (typeof of !== 'object' || of === null) return false;
  const names = Array.isArray(of) ? [] : Object.keys(of);
  const isUnclear = (name: string, at: number) =>
    name === '"' || names.slice(at + 1).some((other) => compare(name, other) === 0);
  return names.some(isUnclear) || Object.values(of).some(hasUnclearNames);
};
const isOfRules = (of: unknown): boolean =>
  Array.isArray(of) &&
  of.length > 0 &&
  of.every((entry: unknown) => {
    const type: unknown = (entry as { type?: unknown } | null)?.type;
    return typeof type === 'string' && !/^[\p{M}\p{Z}\p{C}]*$/u.test(type);
  }) &&
  levelsOf(of) <= 5 &&
  Buffer.byteLength(JSON.stringify(of)) <= 4096 &&
  namesAndTexts(of).every(isReadable) &&
  !hasUnclearNames(of) &&
  !hasPrototype(of);

describe('details of any kind', () => {
  test('are validated by the same rules as a list and as a text', () => {
    const seen = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(list, fc.nat(2), (made, indent) => {
        const given = JSON.parse(JSON.stringify(made)) as unknown;
        const expected = isOfRules(given);
        seen[expected ? 'valid' : 'invalid'] += 1;
        expect([given, isValid(given)]).toEqual([given, expected]);
        const written = JSON.stringify(given, null, indent);
        if (Buffer.byteLength(written) <= 4096)
          expect([written, isValid(written)]).toEqual([written, expected]);
      }),
      { numRuns: 2_000 },
    );
    expect(seen.valid).toBeGreaterThan(200);
    expect(seen.invalid).toBeGreaterThan(200);
  });

  test('have the same hash as the text that a reader writes again', () => {
    fc.assert(
      fc.property(list, (made) => {
        const parsed = parseAuthorizationDetails(JSON.stringify(made));
        fc.pre(!('faults' in parsed));
        expect(JSON.stringify(JSON.parse(parsed.text))).toBe(parsed.text);
        expect(parseAuthorizationDetails(parsed.details)).toEqual(parsed);
        expect(parsed.hash).toBe(hashOf(parsed.text));
      }),
    );
  });

  test('may have no duplicate member, at any level', () => {
    fc.assert(
      fc.property(list, fc.nat(), (made, at) => {
        const written = JSON.stringify(made);
        fc.pre(isValid(written));
        // A blank in front of a member's name is there alone where the text is none of a string's.
        const spread = JSON.stringify(made, null, 1);
        const members = [...spread.matchAll(/^ *("(?:[^"\\]|\\.)*"): /gm)];
        const chosen = members[at % members.length];
        const [start, again] = [chosen?.index ?? 0, chosen?.[1] ?? ''];
        const doubled = `${spread.slice(0, start)}${again}: 0,\n${spread.slice(start)}`;
        fc.pre(Buffer.byteLength(doubled) <= 4096);
        expect(faultsOf(doubled).map(({ detail }) => detail)).toContain('expected no duplicate member');
      }),
    );
  });

  test('have only numbers that a double keeps', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (number) => {
        const same = sameNumber(number, JSON.stringify(Number(number)));
        expect([number, isValid(`[{"type":"t","a":${number}}]`)]).toEqual([number, same]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** By whole numbers of any size. */
function sameNumber(one: string, other: string): boolean {
  if (other === 'null') return false;
  const parts = [one, other].map((number) => {
    const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    return { digits: BigInt(`${whole}${fraction}`), scale: Number(exponent) - fraction.length };
  });
  const least = Math.min(...parts.map(({ scale }) => scale));
  const [a, b] = parts.map(({ digits, scale }) => digits * 10n ** BigInt(scale - least));
  return a === b;
}
