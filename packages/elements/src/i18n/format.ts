/** "1:05" or "1:01:05". Rounds up, so that it says 0:00 only when the time is over. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  const two = (part: number): string => String(part % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds)}`
    : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`;
}

/**
 * Control characters, and characters that reorder the text around them. If one were shown as nothing, a text could look like
 * another one.
 */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with a visible mark in place of each hidden character, such as `[U+202E]`. */
export const visibleText = (text: string): string =>
  text.replace(
    hidden,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
