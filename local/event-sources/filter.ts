import type { FilterPattern, FilterRules } from '../../lambdas/event-sources.ts';

type Json = string | number | boolean | null | undefined | Json[] | { [member: string]: Json };

/** Lambda's filtering: a record passes if it matches one of the patterns, or if there are none. */
export const passes = (patterns: readonly FilterPattern[], record: object): boolean =>
  patterns.length === 0 || patterns.some((pattern) => matches(pattern, record as Json));

/** Every member of a pattern has to match; a rule tests what is at the end of the way to it. */
function matches(pattern: FilterPattern | FilterRules, value: Json): boolean {
  if (isRules(pattern)) return pattern.some((rule) => obeys(rule, value));
  return Object.entries(pattern).every(([member, inner]) => matches(inner, memberOf(value, member)));
}

function obeys(rule: FilterRules[number], value: Json): boolean {
  if (typeof rule === 'object') return rule.exists === isLeaf(value);
  return Array.isArray(value) ? value.includes(rule) : value === rule;
}

/** `exists` knows leaves alone: an object is none, whatever is in it. */
const isLeaf = (value: Json): boolean =>
  value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value));

const isRules = (pattern: FilterPattern | FilterRules): pattern is FilterRules => Array.isArray(pattern);

const memberOf = (value: Json, member: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[member] : undefined;
