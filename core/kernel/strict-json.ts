/** Strings, structural characters, and everything between them. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gsu;

/** The member names of an open object so far; undefined for a list. */
type Level = { names?: Set<string> };

function addName({ names }: Level, token: string): void {
  const name = JSON.parse(token) as string;
  if (names?.has(name)) throw new SyntaxError('duplicate member');
  names?.add(name);
}

/**
 * Checks only the structure; `JSON.parse` rejects invalid JSON afterwards. Names are compared without their escapes.
 */
function checkStructure(text: string, deepest: number): void {
  const levels: Level[] = [];
  let previous = '';
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (levels.length === deepest) throw new SyntaxError(`more than ${deepest} levels`);
      levels.push(token === '{' ? { names: new Set() } : {});
    } else if (token === '}' || token === ']') levels.pop();
    else if (level?.names && token.startsWith('"') && (previous === '{' || previous === ','))
      addName(level, token);
    previous = token;
  }
}

/**
 * Parses a text that all JSON parsers read in the same way. For duplicate members, some parsers use the first value and some
 * the last (RFC 8259, section 4), so two readers of one signed text could read different messages.
 *
 * @param deepest levels of nested objects and lists, checked before parsing
 * @throws {SyntaxError}
 */
export function parseUnambiguous(text: string, deepest: number): unknown {
  checkStructure(text, deepest);
  return JSON.parse(text);
}
