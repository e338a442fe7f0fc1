import * as v from 'valibot';

/** C0 and C1 controls, and the characters that reorder the text around them: what one reads must be what was sent. */
const invisible = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

const codePoints = (text: string): number => Array.from(text).length;

/**
 * Text that is shown to a user on a device: the message of a notification, a device's name
 * (contract parts 1 and 3).
 *
 * @param longest code points at most
 * @param longestBytes UTF-8 bytes at most, where the contract limits them
 */
export const shownText = (longest: number, longestBytes = longest * 4) =>
  v.pipe(
    v.string('expected a string'),
    v.check((text) => codePoints(text) <= longest, `expected at most ${longest} characters (code points)`),
    v.maxBytes(longestBytes, `expected at most ${longestBytes} bytes of UTF-8`),
    v.check((text) => text.isWellFormed(), 'expected well-formed Unicode, without lone surrogates'),
    v.check((text) => !invisible.test(text), 'expected no control characters and no bidirectional controls'),
  );

const notEmpty = v.nonEmpty<string, string>('expected at least 1 character');

export const messageText = v.pipe(shownText(256, 1024), notEmpty);
export const deviceName = v.pipe(shownText(64), notEmpty);
