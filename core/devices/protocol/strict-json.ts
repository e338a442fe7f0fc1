/** What a text is made of: whole strings, the characters of structure, and runs of all else. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gsu;

/** The names of an open object's members so far; nothing for a list. */
type Level = { names?: Set<string> };

function addName({ names }: Level, token: string): void {
  const name = JSON.parse(token) as string;
  if (names?.has(name)) throw new SyntaxError('a member is there twice');
  names?.add(name);
}

/**
 * Looks at the structure alone: of a text that is no JSON, `JSON.parse` says so afterwards. Names are compared without
 * their escapes.
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
 * Parses a text that every JSON parser understands alike. Of a member that is there twice some parsers take the first
 * value and some the last (RFC 8259, section 4), so that two readers of one signed text would read two messages.
 *
 * @param deepest levels of objects and lists inside one another, checked before anything is parsed
 * @throws {SyntaxError}
 */
export function parseUnambiguous(text: string, deepest: number): unknown {
  checkStructure(text, deepest);
  return JSON.parse(text);
}
