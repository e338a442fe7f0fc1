import { isIPv4, isIPv6 } from 'node:net';
import { isList, isObject } from '../domain/json.ts';
import type { FieldFault } from '../domain/refusal.ts';

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

/** Every fault of a value, each with its JSON pointer. */
export type Validate = (value: unknown, pointer: string) => FieldFault[];

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
  minLength: (least: number) => ofText((text) => Array.from(text).length >= least),
  minItems: (least: number) => (value) => !isList(value) || value.length >= least,
  maxItems: (most: number) => (value) => !isList(value) || value.length <= most,
  anyOf: (schemas: JsonSchema[]) => {
    const alternatives = schemas.map(compile);
    return (value) => alternatives.some((validate) => validate(value, '').length === 0);
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

/** As RFC 6901 has it. A name that a caller made up may be long: the beginning tells which one it is. */
const child = (pointer: string, name: string | number): string =>
  `${pointer}/${String(name).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;

function insideList({ items }: JsonSchema): Validate {
  if (!items) return () => [];
  const validate = compile(items);
  return (value, pointer) =>
    isList(value) ? value.flatMap((item, index) => validate(item, child(pointer, index))) : [];
}

function insideObject({ properties = {}, required = [], additionalProperties }: JsonSchema): Validate {
  const members = new Map(Object.entries(properties).map(([name, schema]) => [name, compile(schema)]));
  const faultsOf = (name: string, value: unknown, pointer: string): FieldFault[] => {
    const validate = members.get(name);
    if (validate) return validate(value, pointer);
    return additionalProperties === false ? [{ pointer, detail: 'expected no such member' }] : [];
  };
  return (value, pointer) => {
    if (!isObject(value)) return [];
    const missing = required.filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.map((name) => ({
        pointer: child(pointer, name),
        detail: `expected '${name}', which is missing`,
      })),
      ...Object.entries(value).flatMap(([name, inner]) => faultsOf(name, inner, child(pointer, name))),
    ];
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
  return (value, pointer) =>
    tests.every((test) => test(value))
      ? insides.flatMap((inside) => inside(value, pointer))
      : [{ pointer, detail }];
}
