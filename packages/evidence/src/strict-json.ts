/** Strings, braces and colons. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}:]/gsu;

/**
 * Parses a JSON text, and rejects an object that has a member twice: some parsers would use the first value and some the last
 * (RFC 8259, section 4).
 *
 * @throws {SyntaxError}
 */
export function parseStrictly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    const names = objects.at(-1);
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (token === ':') {
      // Names are equal whatever their escapes.
      const name = JSON.parse(last) as string;
      if (names?.has(name)) throw new SyntaxError('duplicate member');
      names?.add(name);
    }
    last = token;
  }
  return value;
}
