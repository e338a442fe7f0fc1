/**
 * The one rule about characters by which a text could show something else than it says. Service, web app and demo bank use it,
 * so it runs in browsers, too. docs/adr has the reasons ("Text that is shown").
 */

export type HiddenCharacter = { index: number; character: string };

/**
 * Controls, line ends, characters that change the direction of text, characters that are never visible, and U+FFFD, which a
 * decoder puts for bytes that are not UTF-8.
 */
const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\ufffd]/gu;

const emojiSelector = /(?<=(?![\p{Regional_Indicator}\p{Emoji_Modifier}])\p{Emoji})[\ufe0e\ufe0f]/u;
const ideographSelector = /(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u;
const mongolianSelector = /(?<=(?=\p{L})\p{Script=Mong})[\u180b-\u180d\u180f]/u;
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/u;
/** The tags of gbeng, gbsct and gbwls: `RGI_Emoji_Tag_Sequence`, which older browsers do not know. */
const flagTags =
  /(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;

/** Hidden characters that belong to the character before them. */
const needed = new RegExp(
  [emojiSelector, ideographSelector, mongolianSelector, emojiJoiner, flagTags]
    .map(({ source }) => source)
    .join('|'),
  'uy',
);

const joiner = /[\u200c\u200d]/;
const words = /[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}\u200c\u200d]*/gu;
/** Between two characters of a word. After a virama also at its end, as a Malayalam chillu or a Bengali khanda ta may be written. */
const joinerOfWord =
  /(?<=[\p{L}\p{M}\p{Nd}])[\u200c\u200d](?=(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}])|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])\u200d/gu;

/** The scripts in modern use (UAX #31, tables 5 and 7), without Latin, Greek and Cyrillic. */
const scriptNames =
  'Adlm Arab Armn Bali Bamu Batk Beng Bopo Cakm Cans Cham Cher Deva Ethi Geor Gujr Guru Hang Hani Hebr Hira Hmnp Java Kali Kana ' +
  'Khmr Knda Lana Laoo Lepc Limb Lisu Mand Mlym Mong Mtei Mymr Newa Nkoo Olck Orya Osge Plrd Rohg Saur Sinh Sund Sylo Syrc Tale ' +
  'Talu Taml Tavt Telu Tfng Thaa Thai Tibt Vaii Wcho Yiii';

type Script = { letter: RegExp; stray: RegExp };
let scripts: Script[] | undefined;

const scriptOf = (name: string): Script => ({
  letter: new RegExp(String.raw`(?=\p{L})\p{Script=${name}}`, 'u'),
  stray: new RegExp(
    String.raw`(?!\p{Script_Extensions=${name}})(?:\p{L}|[^\p{Script_Extensions=Zyyy}\p{Script=Zinh}])`,
    'u',
  ),
});

/** Few texts have joiners, so the expressions are made when they are first needed. */
function isOfOneScript(word: string): boolean {
  scripts ??= scriptNames.split(' ').map(scriptOf);
  const own = scripts.find(({ letter }) => letter.test(word));
  return own !== undefined && !own.stray.test(word);
}

/** Where the text has joiners that its words need. */
function joinersOfWords(text: string): Set<number> {
  const places = new Set<number>();
  if (!joiner.test(text)) return places;
  for (const { index: start, 0: word } of text.matchAll(words))
    if (joiner.test(word) && isOfOneScript(word))
      for (const { index } of word.matchAll(joinerOfWord)) places.add(start + index);
  return places;
}

/** The characters by which the text could show something else than it says. */
export function* hiddenCharacters(text: string): Generator<HiddenCharacter, void> {
  if (text.search(hidden) < 0) return;
  const joiners = joinersOfWords(text);
  let next = 0;
  for (const { index, 0: character } of text.matchAll(hidden)) {
    if (index < next || joiners.has(index)) continue;
    needed.lastIndex = index;
    if (needed.test(text)) next = needed.lastIndex;
    else yield { index, character };
  }
}

export const hasHidden = (text: string): boolean => hiddenCharacters(text).next().done === false;

/** As people and Unicode name it, such as `U+202E`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text with something else in place of each hidden character. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  let replaced = '';
  let rest = 0;
  for (const { index, character } of hiddenCharacters(text)) {
    replaced += text.slice(rest, index) + replace(character);
    rest = index + character.length;
  }
  return replaced + text.slice(rest);
}

/** The text with a visible mark in place of each hidden character, such as `[U+202E]`. */
export const markHidden = (text: string): string =>
  replaceHidden(text, (character) => `[${codePointName(character)}]`);
