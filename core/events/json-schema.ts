import { isIPv4, isIPv6 } from 'node:net';
import { isList, isObject } from '../kernel/json.ts';
import { pointerSegment } from '../kernel/json-pointer.ts';
import type { FieldFault } from '../kernel/refusal.ts';

/**
 * The part of JSON Schema 2020-12 that the schemas of docs/events/ use. A `title` completes the sentence
 * "expected …", which is what a caller reads about a value that does not match.
 */
export type JsonSchema = {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly title?: string;
  readonly description?: string;
};

/** Every fault of a value, each with its JSON pointer. Whoever asks for no more of them ends the search. */
export type Validate = (value: unknown, pointer: string) => Iterable<FieldFault>;

type Test = (value: unknown) => boolean;

const ofText =
  (test: (text: string) => boolean): Test =>
  (value) =>
    typeof value !== 'string' || test(value);

const types: Record<string, Test> = {
  string: (value) => typeof value === 'string',
  array: isList,
  object: isObject,
};

const formats: Record<string, Test> = {
  ipv4: ofText(isIPv4),
  // A zone (`%eth0`) has a meaning on its own host alone; RFC 4291, which the format follows, has none.
  ipv6: ofText((text) => isIPv6(text) && !text.includes('%')),
};

/** Counts no further than it must: the text may have megabytes. A code point has two UTF-16 units at most. */
const hasCodePoints = (text: string, least: number): boolean =>
  Array.from(text.slice(0, 2 * least)).length >= least;

const isNone = (faults: Iterable<FieldFault>): boolean => faults[Symbol.iterator]().next().done === true;

function known<Value>(table: Record<string, Value>, name: string): Value {
  const value = table[name];
  if (value === undefined) throw new Error(`A schema says "${name}", which nothing here checks`);
  return value;
}

/** Keywords that a value matches or not, whole. As JSON Schema has it, each passes the types that it is not about. */
const assertions: Record<string, (rule: never) => Test> = {
  type: (name: string) => known(types, name),
  const: (only: string) => (value) => value === only,
  enum: (allowed: unknown[]) => (value) => allowed.includes(value),
  format: (name: string) => known(formats, name),
  pattern: (source: string) => {
    const pattern = new RegExp(source, 'u');
    return ofText((text) => pattern.test(text));
  },
  minLength: (least: number) => ofText((text) => hasCodePoints(text, least)),
  minItems: (least: number) => (value) => !isList(value) || value.length >= least,
  maxItems: (most: number) => (value) => !isList(value) || value.length <= most,
  anyOf: (schemas: JsonSchema[]) => {
    const alternatives = schemas.map(compile);
    return (value) => alternatives.some((validate) => isNone(validate(value, '')));
  },
};

/** Keywords about what is inside, and those that say nothing about the value. */
const others = new Set([
  ...['properties', 'required', 'additionalProperties', 'items'],
  ...['$schema', '$id', 'title', 'description', 'examples', 'x-recordedBy'],
]);

function expectation({ title, const: only, enum: allowed, type }: JsonSchema): string {
  return title ?? only ?? (allowed ? `one of ${allowed.join(', ')}` : `a value of type ${type ?? 'any'}`);
}

const child = (pointer: string, name: string | number): string => `${pointer}/${pointerSegment(name)}`;

function insideList({ items }: JsonSchema): Validate {
  if (!items) return () => [];
  const validate = compile(items);
  return function* (value, pointer) {
    if (!isList(value)) return;
    for (const [index, item] of value.entries()) yield* validate(item, child(pointer, index));
  };
}

function insideObject({ properties = {}, required = [], additionalProperties }: JsonSchema): Validate {
  const members = new Map(Object.entries(properties).map(([name, schema]) => [name, compile(schema)]));
  const isOpen = additionalProperties !== false;
  return function* (value, pointer) {
    if (!isObject(value)) return;
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue;
      yield { pointer: child(pointer, name), detail: `expected '${name}', which is missing` };
    }
    for (const name of Object.keys(value)) {
      const validate = members.get(name);
      if (validate) yield* validate(value[name], child(pointer, name));
      else if (!isOpen) yield { pointer: child(pointer, name), detail: 'expected no such member' };
    }
  };
}

/**
 * Makes a validator of a schema.
 *
 * @throws {Error} for a keyword that is not checked here: a published rule may not go unnoticed
 */
export function compile(schema: JsonSchema): Validate {
  const tests = Object.entries(schema)
    .filter(([keyword]) => !others.has(keyword))
    .map(([keyword, rule]) => known(assertions, keyword)(rule as never));
  const insides = [insideList(schema), insideObject(schema)];
  const detail = `expected ${expectation(schema)}`;
  return function* (value, pointer) {
    if (!tests.every((test) => test(value))) {
      yield { pointer, detail };
      return;
    }
    for (const inside of insides) yield* inside(value, pointer);
  };
}
