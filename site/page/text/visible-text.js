/**
 * Control characters, and characters that reorder the text around them. If one were shown as nothing, a text could look like
 * another one.
 */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The text with a visible mark in place of each hidden character, such as `[U+202E]`.
 *
 * @param {string} text
 */
export const visibleText = (text) =>
  text.replace(
    hidden,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
