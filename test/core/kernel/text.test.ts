import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { deviceName, messageText } from '../../../core/kernel/text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const isMessage = (text: unknown): boolean => v.is(messageText, text);

describe('a message', () => {
  test.each([
    ['plain text', 'Change your e-mail address?'],
    ['combining marks', 'Zu\u0308rich'],
    ['text from right to left', 'האם לאשר תשלום?'],
    ['one letter', 'ł'],
    ['one number', '７'],
    ['one punctuation mark', '¿'],
    ['one symbol', '€'],
    ['one emoji', '✅'],
    ['a flag', '🇪🇺'],
    ['one letter among spaces and marks', ' \u0301a\u00a0\u3000'],
    ['256 emoji, which are 1,024 bytes and 512 UTF-16 units', '😀'.repeat(256)],
  ])('may be %s', (_, text) => {
    expect(v.parse(messageText, text)).toBe(text);
  });

  test.each([
    ['empty', ''],
    ['only spaces', ' \u00a0\u2003\u3000'],
    ['only marks', '\u0301\u0308'],
    ['only format characters', '\u200b\u200d\ufeff\u00ad'],
    ['with a line separator', 'a\u2028b'],
    ['with a paragraph separator', 'a\u2029b'],
    ['of 257 code points', 'x'.repeat(257)],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\0b'],
    ['with DEL', 'a\u007fb'],
    ['with a C1 control', 'a\u0085b'],
    ['with a bidirectional override', 'pay \u202e001'],
    ['with a bidirectional isolate', 'pay \u2066001'],
    ['with digits in another order', 'Pay \u200f1\u200f0\u200f0\u200f,\u200f9'],
    ['with an Arabic letter mark', 'Pay \u061c100,9'],
    ['with a blank pattern of Braille', 'a\u2800b'],
    ['with a Hangul filler', 'a\u3164b'],
    ['with an interlinear annotation', 'a\ufff9b\ufffac\ufffb'],
    ['with a soft hyphen', 'a\u00adb'],
    ['with a lone surrogate', 'a\ud800b'],
    ['a number', 5],
  ])('may not be %s', (_, text) => {
    expect(isMessage(text)).toBe(false);
  });

  test('has at most 1,024 bytes and 256 code points', () => {
    const unit = fc.oneof(fc.constantFrom('a', 'é', '字', '💳', ' ', '\u0301'), anyCharacter);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
        fc.pre(!somewhere.test(text));
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
        fc.pre(!somewhere.test(text));
        expect([text, isMessage(text)]).toEqual([text, isAllowed(text)]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is rejected with the characters to remove', () => {
    const [issue] = v.safeParse(messageText, 'a\u202eb\u200f\u200f').issues ?? [];
    expect(issue?.message).toBe(
      'expected no character that is invisible, ends a line or changes the direction of text: remove U+202E and 1 more',
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

/** Joiners, selectors and tags, which some neighbours need. */
const somewhere = /[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]/u;

/** The characters that no neighbour makes right, by their numbers in the files of Unicode 17. */
const never: [number, number][] = [
  ...[
    [0x0, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x61c, 0x61c],
    [0x115f, 0x1160],
  ],
  ...[
    [0x17b4, 0x17b5],
    [0x180e, 0x180e],
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
  ],
  ...[
    [0x2060, 0x206f],
    [0x2800, 0x2800],
    [0x3164, 0x3164],
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
  ],
  ...[
    [0xffa0, 0xffa0],
    [0xfff0, 0xfffb],
    [0xfffd, 0xfffd],
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
  ],
  ...[
    [0xe0000, 0xe001f],
    [0xe0080, 0xe00ff],
    [0xe01f0, 0xe0fff],
  ],
] as [number, number][];

/** The rules once more, in other words: by numbers, and by the categories that show nothing. */
function isAllowed(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const isForbidden = (point: number): boolean =>
    never.some(([first, last]) => first <= point && point <= last);
  return !points.some(isForbidden) && !/^[\p{M}\p{Z}\p{C}]*$/u.test(text);
}

test('a message may have every visible character beside a letter, and no invisible one', () => {
  const wrong: string[] = [];
  for (const [first, last] of [
    [0, 0x31ff],
    [0xd700, 0xffff],
    [0x1bc80, 0x1bcb0],
    [0x1d150, 0x1d190],
    [0xe0000, 0xe1000],
  ] as const)
    for (let point = first; point <= last; point += 1) {
      const text = `a${String.fromCodePoint(point)}b`;
      if (isMessage(text) !== (isAllowed(text) && !somewhere.test(text))) wrong.push(point.toString(16));
    }
  expect(wrong).toEqual([]);
});

const letters = {
  Arabic: 'ابتجحخدرسشعفقکگلمنهوی',
  Devanagari: 'कखगघचजतदनपबमयरलवशसह',
  Malayalam: 'കഖഗചജടഡണതദനപബമയരലവ',
  Bengali: 'কখগঘচজতদনপবমযরলশষসহ',
  Sinhala: 'කඛගචජටඩණතදනපබමයරලව',
  Hebrew: 'אבגדהוזחטיכלמנסעפצקרשת',
  Khmer: 'កខគឃងចឆជឈញដឋឌឍណតថទធន',
  Syriac: 'ܐܒܓܕܗܘܙܚܛܝܟܠܡܢܣܥܦܨܩܪܫܬ',
};
const strangers = 'aZéαΩжЯ';

const joiner = fc.constantFrom('\u200c', '\u200d');
const oneOf = (text: string) => fc.constantFrom(...Array.from(text));
const partOf = (alphabet: string) => fc.string({ unit: oneOf(alphabet), minLength: 1, maxLength: 4 });
/** Parts of a word, with a joiner between any two. */
const joinedWord = (alphabet: string) =>
  fc
    .tuple(partOf(alphabet), fc.array(fc.tuple(joiner, partOf(alphabet)), { minLength: 1, maxLength: 3 }))
    .map(([first, rest]) => first + rest.flat().join(''));

describe('a joiner', () => {
  test.each([
    ['Persian', 'می\u200cخواهم ۲۰\u200cساله 20\u200cساله'],
    ['Devanagari', 'क्\u200dष र्\u200dय क्\u200cष'],
    ['Malayalam', 'അവന്\u200d അവന്\u200dറെ'],
    ['Bengali', 'র\u200d্য ত্\u200d'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Mongolian', 'ᠠ\u180b\u200dᠨ'],
  ])('is allowed where words in %s need it', (_, text) => {
    expect(isMessage(text)).toBe(true);
  });

  test.each(Object.entries(letters))(
    'is allowed inside words in %s, but not at their ends',
    (_, alphabet) => {
      fc.assert(
        fc.property(joinedWord(alphabet), joiner, (word, more) => {
          expect([word, isMessage(`${word} 12,90 (${word})`)]).toEqual([word, true]);
          expect(isMessage(`${more}${word}`)).toBe(false);
          expect(isMessage(`${word}${more}`)).toBe(false);
          expect(isMessage(`${word} ${more} ${word}`)).toBe(false);
        }),
      );
    },
  );

  test.each(Object.entries(letters))(
    'is refused in a word in %s with a letter of another script',
    (_, alphabet) => {
      const others = Object.values(letters).filter((other) => other !== alphabet);
      const stranger = oneOf(`${strangers}${others.join('')}`);
      fc.assert(
        fc.property(joinedWord(alphabet), stranger, fc.nat(20), (word, letter, place) => {
          const at = place % (word.length + 1);
          const mixed = word.slice(0, at) + letter + word.slice(at);
          expect([mixed, isMessage(mixed)]).toEqual([mixed, false]);
        }),
      );
    },
  );

  test('is refused in words in Latin, Greek and Cyrillic, and between digits', () => {
    fc.assert(
      fc.property(joinedWord(`${strangers}019٠٩.,-`), (word) => {
        expect([word, isMessage(`a ${word}`)]).toEqual([word, false]);
      }),
    );
  });

  test.each([
    ['two in a row', 'م\u200c\u200dم'],
    ['before an invisible letter', 'م\u200c\u115f'],
    ['among letters without a script', '𝐩\u200d𝐚'],
    ['beside letters without a script', 'م\u200cم𝐩'],
    ['among marks', ' \u0301\u200d\u0301'],
  ])('is refused: %s', (_, text) => {
    expect(isMessage(`a ${text}`)).toBe(false);
  });
});

const pictures = fc.constantFrom(
  '👨',
  '👩',
  '🧑',
  '🏳',
  '🏴',
  '☠',
  '❤',
  '🔥',
  '🌈',
  '♂',
  '♀',
  '🚀',
  '🐈',
  '⬛',
  '🦰',
  '➡',
  '☝',
);
const picture = fc
  .tuple(pictures, fc.constantFrom('', '\ufe0f'), fc.constantFrom('', '🏻', '🏽', '🏿'))
  .map((parts) => parts.join(''));

describe('an emoji', () => {
  test.each([
    ...['👩‍👩‍👧‍👦', '🏳️‍🌈', '🏴‍☠️', '👩🏽‍🚀', '🧑🏻‍🤝‍🧑🏿', '❤️‍🔥', '🏃🏽‍♀️‍➡️', '🐦‍⬛', '👨‍🦰', '☝🏽', '✈︎', '©️'],
    ...['1️⃣', '#️⃣', '*️⃣'],
    ...['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ])('may be %s', (emoji) => {
    expect(isMessage(`Pay ${emoji}?`)).toBe(true);
  });

  test('may be joined only to another emoji', () => {
    const others = fc
      .oneof(oneOf('a1 .字म'), anyCharacter)
      .filter((text) => !/\p{Extended_Pictographic}/u.test(text));
    fc.assert(
      fc.property(fc.array(picture, { minLength: 2, maxLength: 5 }), others, (elements, other) => {
        const sequence = elements.join('\u200d');
        expect([sequence, isMessage(sequence)]).toEqual([sequence, true]);
        expect(isMessage(`${sequence}\u200d`)).toBe(false);
        expect(isMessage(`${sequence}\u200d${other}`)).toBe(false);
        expect(isMessage(`${other}\u200d${sequence}`)).toBe(false);
      }),
    );
  });

  test('may have the tags of a flag recommended for general interchange, and no others', () => {
    const tagged = (region: string): string =>
      `🏴${Array.from(region, (tag) => String.fromCodePoint(0xe0000 + tag.charCodeAt(0))).join('')}\u{e007f}`;
    const parts = Array.from('abcdefghijklmnopqrstuvwxyz');
    const allowed = ['gb', 'us', 'de']
      .flatMap((country) =>
        parts.flatMap((one) =>
          parts.flatMap((two) => [country + one + two, ...parts.map((three) => country + one + two + three)]),
        ),
      )
      .filter((region) => isMessage(tagged(region)));
    expect(allowed).toEqual(['gbeng', 'gbsct', 'gbwls']);
    expect(allowed.every((region) => /^\p{RGI_Emoji_Tag_Sequence}$/v.test(tagged(region)))).toBe(true);
    expect(isMessage(tagged('gbsct').slice(0, -2))).toBe(false);
    expect(isMessage(tagged('gbsct').replace('🏴', '🏳'))).toBe(false);
    expect(isMessage(tagged('gbsct').replace('🏴', 'a'))).toBe(false);
  });
});

describe('a variation selector', () => {
  test.each([
    ['the emoji form of a symbol', '☎\ufe0f ☎\ufe0e'],
    ['a form of an ideograph', '葛\u{e0100}城市 辻\u{e0101} 神\ufe00'],
    ['a form of a Mongolian letter', 'ᠠ\u180bᠨ\u180c ᠢ\u180f'],
  ])('is allowed for %s', (_, text) => {
    expect(isMessage(text)).toBe(true);
  });

  test.each([
    ['a letter', 'a\ufe0f'],
    ['a letter of Han, with a selector of emoji', '字\ufe0f'],
    ['an emoji, with a selector of Han', '☎\u{e0100}'],
    ['a kana', 'か\u{e0100}'],
    ['half a flag', '🇩\ufe0f🇪'],
    ['a skin tone', '👩🏽\ufe0f'],
    ['a Mongolian digit', '᠑\u180b'],
    ['a blank', 'a \ufe0f'],
    ['another selector', '☎\ufe0f\ufe0f'],
  ])('is refused after %s', (_, text) => {
    expect(isMessage(text)).toBe(false);
  });

  test('is refused after all letters except those of Han and Mongolian', () => {
    const selector = fc.oneof(
      oneOf('\u180b\u180c\u180d\u180f'),
      fc.integer({ min: 0xfe00, max: 0xfe0f }).map((point) => String.fromCodePoint(point)),
      fc.integer({ min: 0xe0100, max: 0xe01ef }).map((point) => String.fromCodePoint(point)),
    );
    const letter = anyCharacter.filter((text) =>
      /(?!\p{Script=Han}|\p{Script=Mong}|\p{Emoji})[\p{L}\p{N}]/u.test(text),
    );
    fc.assert(
      fc.property(letter, selector, (before, after) => {
        expect(isMessage(`a${before}${after}`)).toBe(false);
      }),
    );
  });
});

test('a text of the greatest length is checked quickly, whatever its content', () => {
  const texts = ['\u200d', 'ꆈ\u200d', 'ꆈ\u200dꆈ ', '👨\u200d', 'a\u200d', `${'a'.repeat(255)}\u200d`];
  const start = process.cpuUsage();
  for (const text of texts) isMessage(text.repeat(256));
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
});

test('a text that was decoded from something else than UTF-8 is refused: its bytes are lost', () => {
  const text = new TextDecoder().decode(Buffer.from('Zahle 5 € an Müller', 'latin1'));
  const [issue] = v.safeParse(messageText, text).issues ?? [];
  expect(issue?.message).toBe('expected text in UTF-8: U+FFFD stands for bytes that were not');
});

describe('the name of a device', () => {
  test.each(['x', '📱'.repeat(64), 'Zoë’s phone', 'گوشی می\u200cنا'])('may be %j', (name) => {
    expect(v.is(deviceName, name)).toBe(true);
  });

  test.each(['', ' ', '\u200b', 'x'.repeat(65), 'a\u2028b', 'a\u202eb', 'a\nb', 'a\u200fb', 'a\u200cb'])(
    'may not be %j',
    (name) => {
      expect(v.is(deviceName, name)).toBe(false);
    },
  );
});
