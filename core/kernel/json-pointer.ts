const longestName = 100;

/**
 * A member's name or a list's position, as a segment of a JSON pointer (RFC 6901). A name that a caller made up may be of
 * any length and of any characters: its beginning tells which one it is.
 */
export function pointerSegment(name: string | number): string {
  const text = String(name);
  const shown = text.length > longestName ? `${text.slice(0, longestName)}…` : text;
  return shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
