const longestName = 100;

/**
 * A member's name or a list's index as a segment of a JSON pointer (RFC 6901). A caller may send names of any length and any
 * characters, so long ones are shortened.
 */
export function pointerSegment(name: string | number): string {
  const text = String(name);
  const shown = text.length > longestName ? `${text.slice(0, longestName)}…` : text;
  return shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
