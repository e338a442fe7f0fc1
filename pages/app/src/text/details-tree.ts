/** A JSON value as it was written: members in their order, numbers with all their digits, none dropped. */
export type DetailsNode =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, DetailsNode])[] }
  | { readonly kind: 'array'; readonly items: readonly DetailsNode[] }
  | { readonly kind: 'text'; readonly text: string }
  /** A number, `true`, `false` or `null`. */
  | { readonly kind: 'literal'; readonly source: string };

/**
 * Parses the text that the device signs. `JSON.parse` would round numbers, reorder keys and drop a repeated member, so that the
 * user would sign something else than what is shown.
 *
 * @returns undefined if the text is not JSON; show it as it is then
 */
export function parseDetails(source: string): DetailsNode | undefined {
  try {
    JSON.parse(source);
  } catch {
    return undefined;
  }
  return readValue(new Tokens(source));
}

const token = /[[\]{},:]|"(?:[^"\\]|\\.)*"|[^\s[\]{},:"]+/g;

/** The tokens of a text that is known to be JSON, so each is one that is allowed at its place. */
class Tokens {
  readonly #all: readonly string[];
  #position = 0;

  constructor(source: string) {
    this.#all = source.match(token) ?? [];
  }

  next(): string {
    this.#position += 1;
    return this.#all[this.#position - 1] ?? '';
  }

  /** Consumes the next token if it is this one. */
  skip(expected: string): boolean {
    const isNext = this.#all[this.#position] === expected;
    if (isNext) this.#position += 1;
    return isNext;
  }
}

function readValue(tokens: Tokens): DetailsNode {
  const first = tokens.next();
  if (first === '{') return { kind: 'object', members: readMembers(tokens) };
  if (first === '[') return { kind: 'array', items: readItems(tokens) };
  if (first.startsWith('"')) return { kind: 'text', text: JSON.parse(first) as string };
  return { kind: 'literal', source: first };
}

function readMembers(tokens: Tokens): [string, DetailsNode][] {
  const members: [string, DetailsNode][] = [];
  if (tokens.skip('}')) return members;
  do {
    const name = JSON.parse(tokens.next()) as string;
    tokens.skip(':');
    members.push([name, readValue(tokens)]);
  } while (tokens.skip(','));
  tokens.skip('}');
  return members;
}

function readItems(tokens: Tokens): DetailsNode[] {
  const items: DetailsNode[] = [];
  if (tokens.skip(']')) return items;
  do items.push(readValue(tokens));
  while (tokens.skip(','));
  tokens.skip(']');
  return items;
}
