import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const lastCharacter = 0x10ffff;

const characterAt = (index: number): string =>
  String.fromCodePoint(index < firstSurrogate ? index : index + surrogates);

function indexOf(text: unknown): number {
  const codePoint = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (codePoint === undefined || text !== String.fromCodePoint(codePoint)) throw new Error('No character');
  const index = codePoint < firstSurrogate ? codePoint : codePoint - surrogates;
  if (characterAt(index) !== text) throw new Error('Half a character');
  return index;
}

/**
 * Any character, as a unit of strings. It gives the same strings as fast-check's own `binary`, which first makes a map of all
 * characters: a second of a processor and a hundred megabytes, in each process.
 */
export const anyCharacter = fc.nat(lastCharacter - surrogates).map(characterAt, indexOf);
