import { loadInternal } from '../internals.ts';

/** The characters that the API reference of SendMessage does not list. */
const invalid = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/**
 * Messages may have characters above U+FFFF, such as emoji, as in AWS.
 *
 * Remove when fauxqs 2.9 is installed: its expression has the flag `u`.
 */
export async function acceptEveryCharacter(): Promise<void> {
  const types = await loadInternal<{ INVALID_MESSAGE_BODY_CHAR: RegExp }>('sqs/sqsTypes.js');
  types.INVALID_MESSAGE_BODY_CHAR.test = (text) => invalid.test(text);
}
