import { randomInt, timingSafeEqual } from 'node:crypto';
import type { NumberMatchingMode } from '../tenants/tenant.ts';

/** Only the website shows `code`. The device gets `choices`, which do not reveal the right one. */
export type MatchNumbers = { code: string; choices?: string[] };

const digits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0');

function shuffled(values: readonly string[]): string[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(randomInt(rest.length), 1));
}

/** `pick`: one of three numbers with 2 digits. `type`: one number with 6 digits. */
export function drawMatchNumbers(mode: NumberMatchingMode): MatchNumbers | undefined {
  if (mode === 'off') return undefined;
  if (mode === 'type') return { code: digits(6) };
  const numbers = new Set<string>();
  while (numbers.size < 3) numbers.add(digits(2));
  const [code = '', ...others] = numbers;
  return { code, choices: shuffled([code, ...others]) };
}

/** In constant time, so that the duration says nothing about the digits. */
export function isSameNumber(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
