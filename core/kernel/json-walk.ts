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
  level.at = name;
  if (names.has(name)) return 'duplicate';
  names.add(name);
  return 'name';
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
    if (token === '}' || token === ']') path.pop();
    else if (token === ',') {
      if (typeof level?.at === 'number') level.at += 1;
    } else if (token !== ':') {
      const opens = token === '{' || token === '[';
      const names = token.startsWith('"') && previous !== ':' && level?.names;
      yield {
        token,
        kind: names ? nameIn(level, names, token) : 'value',
        depth: path.length + Number(opens),
        path,
      };
      if (opens) path.push(token === '{' ? { names: new Set(), at: '' } : { at: 0 });
    }
    previous = token;
  }
}
