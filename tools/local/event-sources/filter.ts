import type { FilterPattern, FilterRules } from '../../../lambdas/filter-pattern.ts';

type Json = string | number | boolean | null | undefined | Json[] | { [member: string]: Json };

/** Lambda's event filtering: a record passes if it matches a pattern, or if there are no patterns. */
export const passes = (patterns: readonly FilterPattern[], record: object): boolean =>
  patterns.length === 0 || patterns.some((pattern) => matches(pattern, record as Json));

/** Every member of a pattern must match. Rules test the value at the end of a path. */
function matches(pattern: FilterPattern | FilterRules, value: Json): boolean {
  if (isRules(pattern)) return pattern.some((rule) => matchesRule(rule, value));
  return Object.entries(pattern).every(([member, inner]) => matches(inner, memberOf(value, member)));
}

function matchesRule(rule: FilterRules[number], value: Json): boolean {
  if (typeof rule === 'object') return rule.exists === isLeaf(value);
  return Array.isArray(value) ? value.includes(rule) : value === rule;
}

/** `exists` matches only leaf nodes, not objects. */
const isLeaf = (value: Json): boolean =>
  value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value));

const isRules = (pattern: FilterPattern | FilterRules): pattern is FilterRules => Array.isArray(pattern);

const memberOf = (value: Json, member: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value[member] : undefined;
