/** Strings, structural characters, and everything between them. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gsu;

/** An open object with its member names so far, or an open list; `at` is the current member or index. */
type Level = { names?: Set<string>; at: string | number };

export type Visit = {
  token: string;
  /** A name that its object has already. A name is not a value. */
  kind: 'value' | 'name' | 'duplicate';
  /** Open objects and lists, with the one that this token opens. */
  depth: number;
  /** Where the token is. It changes with the next visit. */
  path: readonly Readonly<Level>[];
};

function nameIn(level: Level, names: Set<string>, token: string): Visit['kind'] {
  const name = JSON.parse(token) as string;
  const kind = names.has(name) ? 'duplicate' : 'name';
  names.add(name);
  level.at = name;
  return kind;
}

function nextIndex(level: Level | undefined): void {
  if (typeof level?.at === 'number') level.at += 1;
}

/**
 * The names and values of a JSON text in its order, without recursion. Sees only the structure, so `JSON.parse` must check the
 * text as well. Names are compared without their escapes.
 */
export function* walkJson(text: string): Generator<Visit, void> {
  const path: Level[] = [];
  let previous = '';
  for (const [token] of text.matchAll(tokens)) {
    const level = path.at(-1);
    const isName = token.startsWith('"') && (previous === '{' || previous === ',');
    if (token === '{' || token === '[') {
      yield { token, kind: 'value', depth: path.length + 1, path };
      path.push(token === '{' ? { names: new Set(), at: '' } : { at: 0 });
    } else if (token === '}' || token === ']') path.pop();
    else if (token === ',') nextIndex(level);
    else if (level?.names && isName)
      yield { token, kind: nameIn(level, level.names, token), depth: path.length, path };
    else if (token !== ':') yield { token, kind: 'value', depth: path.length, path };
    previous = token;
  }
}
