import * as v from 'valibot';

/**
 * C0 and C1 controls, line and paragraph separators, and bidirectional controls: users must read the text as it was sent.
 */
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/u;

/** A letter, number, punctuation mark or symbol: a text of only blanks, marks and format characters is invisible. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const codePoints = (text: string): number => Array.from(text).length;

const wellFormed = v.check<string, string>(
  (text) => text.isWellFormed(),
  'expected well-formed Unicode, without lone surrogates',
);
const allowed = v.check<string, string>(
  (text) => !forbidden.test(text),
  'expected no control characters, line separators or bidirectional controls',
);

/** The characters that a device shows, in a text of any length. */
export const shownCharacters = v.pipe(v.string('expected a string'), wellFormed, allowed);

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
    allowed,
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
