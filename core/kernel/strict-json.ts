import { pointerSegment } from './json-pointer.ts';
import { walkJson, type Visit } from './json-walk.ts';
import type { FieldFault } from './refusal.ts';

/** More than any number needs that a double holds. */
const longest = 64;

/** Leading and trailing zeros and the place of the point make no difference. */
function normalOf(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`;
  if (digits === '') return undefined;
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '0';
  const zeros = digits.length - digits.replace(/0+$/, '').length;
  return `${sign}${significant}e${Number(exponent) - fraction.length + zeros}`;
}

/** Whether a number of a JSON text is the same after a reader has kept it as a double and written it again. */
const fitsDouble = (text: string): boolean =>
  text.length <= longest && normalOf(text) === normalOf(JSON.stringify(Number(text)));

function checkStructure(text: string, deepest: number): void {
  for (const { kind, depth } of walkJson(text)) {
    if (depth > deepest) throw new SyntaxError('too many levels');
    if (kind === 'duplicate') throw new SyntaxError('duplicate member');
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

const number = /^-?\d/;

/** Upper and lower case are one, but ß stays apart from ss. */
const foldedCharacter = (character: string): string => {
  const upper = character.toUpperCase();
  return (Array.from(upper).length === 1 ? upper : character).toLowerCase();
};

/**
 * The same for names that readers take for one: Go ignores case, Swift compares by canonical equivalence, and people do not see
 * characters that are never shown.
 */
const looseNameOf = (name: string): string =>
  Array.from(
    name.normalize('NFC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''),
    foldedCharacter,
  ).join('');

/** `JSON.parse` of V8 13.6 may read such a name as a backslash, so a browser would show and Node.js keep another member. */
const isLost = (name: string, token: string): boolean =>
  name.length === 1 && name !== '\\' && token !== `"${name}"`;

/** Names of each open object, by its level. */
type LooseNames = WeakMap<object, Set<string>>;

function nameFault({ token, path }: Visit, seen: LooseNames): string | undefined {
  const level = path.at(-1);
  if (typeof level?.at !== 'string') return undefined;
  if (isLost(level.at, token))
    return 'expected a name of one character without an escape, so that every JSON reader keeps it';
  const names = seen.get(level) ?? new Set();
  const loose = looseNameOf(level.at);
  if (names.has(loose))
    return 'expected no two names that are the same but for capital letters, invisible characters or encoding';
  seen.set(level, names.add(loose));
  return undefined;
}

function ambiguityOf(visit: Visit, seen: LooseNames): string | undefined {
  const { kind, token } = visit;
  if (kind === 'duplicate') return 'expected no duplicate member';
  if (kind === 'name') return nameFault(visit, seen);
  if (!number.test(token) || fitsDouble(token)) return undefined;
  return 'expected a number that every JSON reader keeps (RFC 7493, section 2.2): write it as a string';
}

/**
 * What two readers of a JSON text could read differently: duplicate members, names that some readers take for one or read as
 * another, and numbers that do not fit into a double.
 *
 * @param text valid JSON
 * @param deepest deeper levels are not looked at
 */
export function* ambiguitiesOf(text: string, deepest: number): Generator<FieldFault, void> {
  const seen: LooseNames = new WeakMap();
  for (const visit of walkJson(text)) {
    const detail = visit.depth > deepest ? undefined : ambiguityOf(visit, seen);
    if (detail === undefined) continue;
    const pointer = visit.path.map(({ at }) => `/${pointerSegment(at)}`).join('');
    yield { pointer, detail };
  }
}
