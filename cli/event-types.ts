import type { Category } from '../core/events/target-ref.ts';
import { isKnownType, publicTypes } from '../core/events/public-types.ts';
import { UsageError } from './command-error.ts';

/**
 * Public events have published types. A log event may have any.
 *
 * @throws {UsageError} that names the types meant instead
 */
export function requireKnownTypes({
  category,
  type: types = [],
}: {
  category: Category;
  type?: string[];
}): void {
  const unknown = types.filter((type) => !isKnownType(category, type));
  if (unknown.length === 0) return;
  const meant = [...new Set(unknown.flatMap((type) => nearestTo(type) ?? []))];
  const question = meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`;
  throw new UsageError(
    `There are no public events of the type ${unknown.join(', ')}.${question} Known: ${publicTypes.join(', ')}.`,
  );
}

/** Beyond this part of its characters, a name is another one and not a misspelt one. */
const mostTypingErrors = 0.3;

function nearestTo(type: string): string | undefined {
  const candidates = publicTypes.map((known) => ({ known, distance: distanceOf(type, known) }));
  const [nearest] = candidates.toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= mostTypingErrors * type.length ? nearest.known : undefined;
}

/** Levenshtein's: how many characters must be inserted, removed or replaced. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [line, character] of Array.from(one.toLowerCase()).entries()) {
    let [diagonal = 0] = row;
    let left = line + 1;
    const next = [left];
    for (const [column, its] of Array.from(other.toLowerCase()).entries()) {
      const above = row[column + 1] ?? 0;
      left = Math.min(diagonal + (character === its ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      next.push(left);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
