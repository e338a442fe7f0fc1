/** Five languages: complete, whole sentences, and the same places to fill in. */
import { describe, expect, test } from '@jest/globals';
import { dictionary as confirmation } from '../../../packages/elements/src/confirmation/texts/dictionary.ts';
import { dictionary as enrolment } from '../../../packages/elements/src/enrolment/texts/dictionary.ts';
import { Dictionary } from '../../../packages/elements/src/i18n/dictionary.ts';
import { clockText } from '../../../packages/elements/src/i18n/format.ts';
import { languageOf, languages, type Language } from '../../../packages/elements/src/i18n/language.ts';

const textsOf = async (dictionary: { of: Dictionary<object>['of'] }, language: Language): Promise<object> =>
  await new Promise((resolve) => {
    const look = (): void => {
      const texts = dictionary.of(language, look);
      if (texts) resolve(texts);
    };
    look();
  });

const sentencesOf = (texts: object): [string, string][] =>
  Object.entries(texts).flatMap(([name, value]: [string, string | string[]]) =>
    [value].flat().map((text, index): [string, string] => [`${name} ${index}`, text]),
  );

const others = languages.filter((language) => language !== 'en');
const placesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
const ends = (text: string): boolean => /[.:?…]$/.test(text.replace(/ ?\{\w+\}$/, ''));

describe.each([
  ['confirmation', confirmation],
  ['enrolment', enrolment],
])('the texts of the %s', (_, dictionary) => {
  test.each(others)('are translated into "%s", with the same placeholders', async (language) => {
    const english = new Map(sentencesOf(dictionary.english));
    const texts = sentencesOf(await textsOf(dictionary, language));
    expect(texts.map(([name]) => name).toSorted()).toEqual([...english.keys()].toSorted());
    const wrong = texts.filter(([name, text]) => {
      const original = english.get(name) ?? '';
      const isSame = text === original || text.trim() === '' || ends(text) !== ends(original);
      // A placeholder may be left out only where the device's name is part of the sentence already.
      return isSame || String(placesIn(text)) !== String(placesIn(original));
    });
    expect(wrong).toEqual([]);
  });
});

test('French punctuation of two parts never begins a line', async () => {
  const texts = [
    ...sentencesOf(await textsOf(confirmation, 'fr')),
    ...sentencesOf(await textsOf(enrolment, 'fr')),
  ];
  expect(texts.filter(([, text]) => / [?!:;»]/.test(text))).toEqual([]);
  expect(texts.filter(([, text]) => text.includes('\u00a0:')).length).toBeGreaterThan(3);
});

test('a language that cannot be loaded is replaced by English, and requested once', async () => {
  let loads = 0;
  const dictionary = new Dictionary({ word: 'word' }, async () => {
    loads += 1;
    return await Promise.reject(new Error('blocked'));
  });
  await expect(Promise.all([textsOf(dictionary, 'de'), textsOf(dictionary, 'de')])).resolves.toEqual([
    { word: 'word' },
    { word: 'word' },
  ]);
  expect(loads).toBe(1);
});

test.each([
  ['de-AT', 'de'],
  ['FR', 'fr'],
  ['pt-BR', 'en'],
  ['', 'en'],
])('the language of "%s" is %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});

test.each([
  [0, '0:00'],
  [1, '0:01'],
  [65_000, '1:05'],
  [3_723_000, '1:02:03'],
  [-5, '0:00'],
])('%i milliseconds are shown as %s', (milliseconds, text) => {
  expect(clockText(milliseconds)).toBe(text);
});
