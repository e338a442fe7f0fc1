import * as v from 'valibot';
import { codePointName, hasHidden, hiddenCharacters } from './hidden-characters.ts';

/** A letter, number, punctuation mark or symbol: a text of only blanks, marks and format characters is invisible. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const codePoints = (text: string): number => Array.from(text).length;

const wellFormed = v.check<string, string>(
  (text) => text.isWellFormed(),
  'expected well-formed Unicode, without lone surrogates',
);

function explainHidden(text: string): string {
  if (text.includes('\ufffd')) return 'expected text in UTF-8: U+FFFD stands for bytes that were not';
  const names = Array.from(hiddenCharacters(text), ({ character }) => codePointName(character));
  const [first = '', ...others] = new Set(names);
  const found = others.length > 0 ? `${first} and ${others.length} more` : first;
  return `expected no character that is invisible, ends a line or changes the direction of text: remove ${found}`;
}

/** Users must read a text as it was sent. */
export const nothingHidden = v.check<string, (issue: v.CheckIssue<string>) => string>(
  (text) => !hasHidden(text),
  ({ input }) => explainHidden(input),
);

/** The characters that a device shows, in a text of any length. */
export const shownCharacters = v.pipe(v.string('expected a string'), wellFormed, nothingHidden);

/**
 * Text that a device shows to its user, such as a message or a device's name.
 *
 * @param longest code points
 * @param longestBytes UTF-8 bytes
 */
export const shownText = (longest: number, longestBytes = longest * 4) =>
  v.pipe(
    v.string('expected a string'),
    v.check((text) => codePoints(text) <= longest, `expected at most ${longest} characters (code points)`),
    v.maxBytes(longestBytes, `expected at most ${longestBytes} bytes of UTF-8`),
    wellFormed,
    nothingHidden,
  );

/** {@link shownText} with at least one visible character. */
export const visibleText = (longest: number, longestBytes?: number) =>
  v.pipe(
    shownText(longest, longestBytes),
    v.check((text) => visible.test(text), 'expected at least one letter, number, punctuation mark or symbol'),
  );

export const messageText = visibleText(256, 1024);
export const deviceName = visibleText(64);

/** What apps show in place of the user's id, such as "Anna · …4711". */
export const accountLabel = visibleText(64);
