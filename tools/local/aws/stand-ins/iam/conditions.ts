import { isArnLike, isLike } from './patterns.ts';
import type { Condition } from './policy.ts';

/** An unknown value, which equals every value that a policy names. */
export const anyValue: unique symbol = Symbol('any value');

/** Values of a request by condition key. A key that is undefined is known to be absent. */
export type Context = Readonly<Record<string, string | typeof anyValue | undefined>>;

type Test = { matches: (expected: string, actual: string) => boolean; isNegated?: true };

const equals = (expected: string, actual: string): boolean => expected === actual;
const equalsAnyCase = (expected: string, actual: string): boolean =>
  expected.toLowerCase() === actual.toLowerCase();

const tests: Readonly<Record<string, Test>> = {
  StringEquals: { matches: equals },
  StringNotEquals: { matches: equals, isNegated: true },
  StringEqualsIgnoreCase: { matches: equalsAnyCase },
  StringNotEqualsIgnoreCase: { matches: equalsAnyCase, isNegated: true },
  StringLike: { matches: isLike },
  StringNotLike: { matches: isLike, isNegated: true },
  ArnEquals: { matches: isArnLike },
  ArnNotEquals: { matches: isArnLike, isNegated: true },
  ArnLike: { matches: isArnLike },
  ArnNotLike: { matches: isArnLike, isNegated: true },
  Bool: { matches: equalsAnyCase },
};

/** @returns undefined if the operator or the key is not supported */
export function holds({ operator, key, values }: Condition, context: Context): boolean | undefined {
  const known = Object.entries(context).find(([name]) => equalsAnyCase(name, key));
  if (!known) return undefined;
  const [, actual] = known;
  if (operator === 'Null') return values.includes(String(actual === undefined));
  const [, name = '', ifExists] = /^(.*?)(IfExists)?$/.exec(operator) ?? [];
  const test = tests[name];
  if (!test) return undefined;
  if (actual === anyValue) return test.isNegated !== true;
  if (actual === undefined) return ifExists !== undefined || test.isNegated === true;
  return values.some((expected) => test.matches(expected, actual)) !== (test.isNegated === true);
}
