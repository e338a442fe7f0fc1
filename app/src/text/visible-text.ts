/**
 * Control characters, characters that reorder the text around them, and characters that are never shown: blank fillers, format
 * characters and tags. The service refuses most of the first two. If one were shown as nothing, a text could look like another
 * one. Joiners and variation selectors stay, because emoji and scripts need them, and so do the tags of a flag.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** A black flag, and the tags that make it the flag of a region. */
const flag = /(\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f})/u;

const markOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** The text with a visible mark in place of each hidden character, such as `[U+202E]`. */
export const visibleText = (text: string): string =>
  text
    .split(flag)
    .map((part) => (flag.test(part) ? part : part.replace(hidden, markOf)))
    .join('');
