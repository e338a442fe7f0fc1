import { isIPv4, isIPv6 } from 'node:net';
import { isList, isObject } from '../kernel/json.ts';
import { pointerSegment } from '../kernel/json-pointer.ts';
import type { FieldFault } from '../kernel/refusal.ts';

/**
 * The part of JSON Schema 2020-12 that the schemas of core/events/schemas/ use (docs/adr/0018-own-json-schema-validator.md says why
 * this is not a library). If a value does not match, its caller reads "expected" and the schema's `title`.
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

/** Finds the faults of a value one by one, each with its JSON pointer. The search ends when the caller stops reading. */
export type Validate = (value: unknown, pointer: string) => Iterable<FieldFault>;

type Test = (value: unknown) => boolean;

const ofText =
  (test: (text: string) => boolean): Test =>
  (value) =>
    typeof value !== 'string' || test(value);

const types: Record<string, Test> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  // Only in events of the service itself: the numbers of recorded events keep their text.
  integer: Number.isInteger,
  array: isList,
  object: isObject,
};

const formats: Record<string, Test> = {
  ipv4: ofText(isIPv4),
  // The format follows RFC 4291, which has no zones: `%eth0` has a meaning only on its own host.
  ipv6: ofText((text) => isIPv6(text) && !text.includes('%')),
};

/** The text may have megabytes, so only its start is counted. A code point has at most two UTF-16 units. */
const hasCodePoints = (text: string, least: number): boolean =>
  Array.from(text.slice(0, 2 * least)).length >= least;

const hasNone = (faults: Iterable<FieldFault>): boolean => faults[Symbol.iterator]().next().done === true;

function known<Value>(table: Record<string, Value>, name: string): Value {
  const value = table[name];
  if (value === undefined) throw new Error(`A schema has "${name}", which json-schema.ts cannot check`);
  return value;
}

/** Keywords that test a whole value. Each accepts values of the types that it does not apply to, as JSON Schema demands. */
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
    return (value) => alternatives.some((validate) => hasNone(validate(value, '')));
  },
};

/** Keywords about members and items, and keywords that do not restrict the value. */
const others = new Set([
  ...['properties', 'required', 'additionalProperties', 'items'],
  ...['$schema', '$id', 'title', 'description', 'examples', 'x-recordedBy'],
]);

function expectation({ title, const: only, enum: allowed, type }: JsonSchema): string {
  return title ?? only ?? (allowed ? `one of ${allowed.join(', ')}` : `a value of type ${type ?? 'any'}`);
}

const child = (pointer: string, name: string | number): string => `${pointer}/${pointerSegment(name)}`;

function itemsOf({ items }: JsonSchema): Validate {
  if (!items) return () => [];
  const validate = compile(items);
  return function* (value, pointer) {
    if (!isList(value)) return;
    for (const [index, item] of value.entries()) yield* validate(item, child(pointer, index));
  };
}

function membersOf({ properties = {}, required = [], additionalProperties }: JsonSchema): Validate {
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
 * Compiles a schema into a validator. A value that fails a test has one fault, and its members are not checked.
 *
 * @throws {Error} for an unknown keyword: no published rule may remain unchecked
 */
export function compile(schema: JsonSchema): Validate {
  const tests = Object.entries(schema)
    .filter(([keyword]) => !others.has(keyword))
    .map(([keyword, rule]) => known(assertions, keyword)(rule as never));
  const inner = [itemsOf(schema), membersOf(schema)];
  const detail = `expected ${expectation(schema)}`;
  return function* (value, pointer) {
    if (!tests.every((test) => test(value))) {
      yield { pointer, detail };
      return;
    }
    for (const validate of inner) yield* validate(value, pointer);
  };
}
