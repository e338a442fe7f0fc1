/** ECMAScript's JSON.parse source text access, which TypeScript does not know yet. */
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => boolean;
};

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

const keepNumber: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
    ? rawJSON(source)
    : value;

/**
 * Parses a JSON text so that `JSON.stringify` writes its numbers unchanged. A double would change 12345678901234567890, and
 * turn 1e999 into null.
 */
export const parseJson = (text: string): unknown => JSON.parse(text, keepNumber as never);

const strings = /"(?:[^"\\]|\\.)*"/gsu;
const oneEscape = /^"\\(?:\/|u[\dA-Fa-f]{4})"$/;

/**
 * The same JSON, with strings of one character written as JSON.stringify writes them. `JSON.parse` of V8 13.6 may read a name of
 * one character as a backslash if it has an escape, and many libraries escape all but ASCII.
 */
export const withoutNeedlessEscapes = (text: string): string =>
  /"\\[/u]/.test(text)
    ? text.replaceAll(strings, (token) => (oneEscape.test(token) ? JSON.stringify(JSON.parse(token)) : token))
    : text;

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isList(value) && !isRawJSON(value);

/** Members that could change the prototype of a JavaScript object. */
export const isPrototypeMember = (name: string, value: unknown): boolean =>
  name === '__proto__' || (name === 'constructor' && isObject(value) && 'prototype' in value);

/** Whether arrays and objects are nested more than the given number of levels. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isList(value) && !isObject(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/**
 * The same text for equal JSON values, whatever the order of members and the white space. Numbers are compared by their
 * digits, so 1.0 differs from 1.
 */
export function canonicalJson(value: unknown): string {
  if (isList(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(byName);
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join()}}`;
}
