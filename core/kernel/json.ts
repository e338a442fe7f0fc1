/** ECMAScript's JSON.parse source text access, which TypeScript does not know yet. */
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => boolean;
};

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Strings, and the colon that makes a name of one. */
const strings = /("(?:[^"\\]|\\.)*")(\s*:)?/gsu;

const withoutEscape = (token: string): string => `"~${Buffer.from(token).toString('base64url')}"`;

const nameOf = (written: string): string =>
  written.startsWith('~')
    ? (JSON.parse(Buffer.from(written.slice(1), 'base64url').toString()) as string)
    : written;

const withItsNames = (value: object): object =>
  Object.keys(value).some((name) => name.startsWith('~'))
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [nameOf(name), inner]))
    : value;

/**
 * Like `JSON.parse`, but keeps each name. `JSON.parse` of V8 13.6 may read a name that has an escape as one with a backslash
 * that the process has met before. So such names have no escape while it reads them.
 *
 * @throws {SyntaxError}
 */
export function reviveJson(text: string, revive: Reviver): unknown {
  if (!text.includes('\\')) return JSON.parse(text, revive as never);
  const safe = text.replaceAll(strings, (whole, token: string, colon?: string) =>
    colon && (token.includes('\\') || token.startsWith('"~')) ? withoutEscape(token) + colon : whole,
  );
  const reviveNamed: Reviver = (key, value, context) =>
    revive(nameOf(key), isObject(value) ? withItsNames(value) : value, context);
  return JSON.parse(safe, reviveNamed as never);
}

const keepNumber: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
    ? rawJSON(source)
    : value;

/**
 * Parses a JSON text so that `JSON.stringify` writes its numbers unchanged. A double would change 12345678901234567890, and
 * turn 1e999 into null.
 *
 * @throws {SyntaxError}
 */
export const parseJson = (text: string): unknown => reviveJson(text, keepNumber);

const oneEscape = /^"\\(?:\/|u[\dA-Fa-f]{4})"$/;

/** The same JSON, with strings of one character written as JSON.stringify writes them. Many libraries escape all but ASCII. */
export const withoutNeedlessEscapes = (text: string): string =>
  /"\\[/u]/.test(text)
    ? text.replaceAll(strings, (whole, token: string, colon?: string) =>
        oneEscape.test(token) ? JSON.stringify(JSON.parse(token)) + (colon ?? '') : whole,
      )
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
