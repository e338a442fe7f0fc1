import { fitsDouble } from './decimal.ts';
import { pointerSegment } from './json-pointer.ts';
import { walkJson, type Visit } from './json-walk.ts';
import type { FieldFault } from './refusal.ts';

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

function ambiguityOf({ kind, token }: Visit): string | undefined {
  if (kind === 'duplicate') return 'expected each member once';
  if (kind !== 'value' || !number.test(token) || fitsDouble(token)) return undefined;
  return 'expected a number that every JSON reader keeps (RFC 7493, section 2.2): write it as a string';
}

/**
 * What two readers of a JSON text could read differently: duplicate members, and numbers that do not fit into a double.
 *
 * @param text valid JSON
 * @param deepest deeper levels are not looked at
 */
export function* ambiguitiesOf(text: string, deepest: number): Generator<FieldFault, void> {
  for (const visit of walkJson(text)) {
    const detail = visit.depth > deepest ? undefined : ambiguityOf(visit);
    if (detail === undefined) continue;
    const pointer = visit.path.map(({ at }) => `/${pointerSegment(at)}`).join('');
    yield { pointer, detail };
  }
}
