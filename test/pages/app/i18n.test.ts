import { describe, expect, test } from '@jest/globals';
import { en } from '../../../pages/app/src/i18n/en.ts';
import { fr } from '../../../pages/app/src/i18n/fr.ts';
import { agoText, remainingText, roughText } from '../../../pages/app/src/i18n/format.ts';
import { chooseLanguage, languages, loadTexts } from '../../../pages/app/src/i18n/texts.ts';

type Leaf = string | ((...values: never[]) => string);

/** All texts by their path. A text with parts that change is filled in. */
function leavesOf(texts: object, path = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]: [string, Leaf | object]): [string, string][] => {
    const here = `${path}/${name}`;
    if (typeof value === 'string') return [[here, value]];
    if (typeof value === 'function') return [[here, (value as (...values: unknown[]) => string)(3, true)]];
    return leavesOf(value, here);
  });
}

const english = new Map(leavesOf(en));
/** Label that two languages share. */
const same = /^(OMI|Account|Details|Notifications|no|Passkey|Confirmed|Confirmer?|\d.*)$/;

describe.each(languages.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  test('are all translated', async () => {
    const texts = leavesOf(await loadTexts(language));
    expect(texts.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    const left = texts.filter(([path, text]) => text === english.get(path) && !same.test(text));
    expect(left.filter(([path]) => !path.includes('/units/'))).toEqual([]);
  });

  test('are whole sentences where the English ones are, and never empty', async () => {
    const texts = leavesOf(await loadTexts(language));
    const ends = (text: string): boolean => /[.:?…]$/.test(text.trim());
    expect(texts.filter(([path, text]) => ends(text) !== ends(english.get(path) ?? ''))).toEqual([]);
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

test('every button named in a text has that name', async () => {
  for (const language of languages) {
    const { challenge } = await loadTexts(language);
    expect(challenge.hint).toContain(challenge.notMe);
    expect(challenge.problems['verification-needed']).toContain(challenge.confirm);
  }
});

describe('the language', () => {
  test.each([
    [['de-AT', 'en'], 'de'],
    [['pt', 'es-MX'], 'es'],
    [['NL'], 'nl'],
    [['pt', 'it'], 'en'],
    [[], 'en'],
  ])('is chosen from %j: %s', (preferred, language) => {
    expect(chooseLanguage(preferred)).toBe(language);
  });
});

test('times are written in words', () => {
  expect(remainingText(en, { hours: 0, minutes: 1, seconds: 5 })).toBe('1 minute 5 seconds');
  expect(remainingText(en, { hours: 0, minutes: 0, seconds: 0 })).toBe('0 seconds');
  expect(remainingText(en, { hours: 0, minutes: 2, seconds: 0 })).toBe('2 minutes');
  expect(remainingText(en, { hours: 1, minutes: 0, seconds: 59 })).toBe('1 hour');
  expect(remainingText(en, { hours: 23, minutes: 59, seconds: 59 })).toBe('23 hours 59 minutes');
  expect(
    [-7 * 60_000, 61_000, 3 * 3_600_000, -49 * 3_600_000].map((offset) => roughText(en, offset)),
  ).toEqual(['7 minutes', '1 minute', '3 hours', '2 days']);
});

test('elapsed time is written in words, in whole units', () => {
  const ages = [-5_000, 59_999, 60_000, 179_000, 3_600_000, 47 * 3_600_000, 49 * 3_600_000];
  expect(ages.map((age) => agoText('en', age))).toEqual([
    ...['now', 'now', '1 minute ago', '2 minutes ago', '1 hour ago', '47 hours ago', '2 days ago'],
  ]);
  expect(languages.map((language) => agoText(language, 120_000))).toEqual([
    ...['2 minutes ago', 'vor 2 Minuten', '2 minuten geleden', 'il y a 2 minutes', 'hace 2 minutos'],
  ]);
});

test('French punctuation of two parts never begins a line', () => {
  const texts = leavesOf(fr);
  expect(texts.filter(([, text]) => / [?!:;»]|« /.test(text))).toEqual([]);
  expect(texts.filter(([, text]) => /\u00a0[?!:;»]/.test(text)).length).toBeGreaterThan(5);
});
