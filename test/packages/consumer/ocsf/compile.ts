/**
 * Compiles a part of the OCSF schema to JSON Schema: the classes and objects that `toOcsf` uses, with every rule that they have.
 * An attribute whose object is not in the list is left out, so that an event with it is refused.
 *
 *     git clone https://github.com/ocsf/ocsf-schema && node compile.ts ocsf-schema <commit> > schema.json
 *     npx oxfmt schema.json
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

type Attribute = {
  requirement?: string;
  enum?: Record<string, { caption?: string }>;
  type?: string;
  is_array?: boolean;
  observable?: number;
};
type Definition = {
  name: string;
  extends?: string;
  uid?: number;
  category?: string;
  caption: string;
  constraints?: { at_least_one?: string[]; just_one?: string[] };
  attributes: Record<string, Attribute>;
  observable?: number;
};
type BaseType = {
  type?: string;
  observable?: number;
  regex?: string;
  max_len?: number;
  range?: [number, number];
};
type JsonSchema = Record<string, unknown>;

const classes = ['base_event', 'authentication', 'entity_management', 'user_management'];
const objects = [
  'metadata',
  'product',
  'user',
  'actor',
  'network_endpoint',
  'service',
  'auth_factor',
  'managed_entity',
  'idp',
  'device',
  'attestation',
  'digital_signature',
  'fingerprint',
  'observable',
  'object',
];
/** Profiles whose attributes the events may have, besides those that a class includes by itself. */
const profiles = new Set(['record_integrity']);

const [folder = '', commit = ''] = process.argv.slice(2);
const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'));

const files = (place: string): Map<string, string> =>
  new Map(
    readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => [basename(path, '.json'), join(place, path)]),
  );
const places = new Map([...files('objects'), ...files('events')]);
const definitionOf = (name: string): Definition => read(places.get(name) ?? name) as Definition;

const dictionary = read('dictionary.json') as {
  attributes: Record<string, Attribute>;
  types: { attributes: Record<string, BaseType> };
};
const categories = (read('categories.json') as { attributes: Record<string, { uid: number }> }).attributes;

/** A definition with what it inherits; a later one changes members of an earlier one. */
function resolve(name: string): Definition {
  const own = definitionOf(name);
  const parent = own.extends === undefined ? undefined : resolve(own.extends);
  const merged = { ...parent?.attributes };
  const add = (attributes: Record<string, Attribute>): void => {
    for (const [key, attribute] of Object.entries(attributes)) {
      const values = { ...merged[key]?.enum, ...attribute.enum };
      merged[key] = {
        ...merged[key],
        ...attribute,
        ...(Object.keys(values).length > 0 && { enum: values }),
      };
    }
  };
  const { $include: included = [], ...attributes } = own.attributes as Definition['attributes'] & {
    $include?: string[];
  };
  for (const path of included)
    if (profiles.has(basename(path, '.json'))) add((read(path) as Definition).attributes);
  add(attributes);
  return { ...parent, ...own, attributes: merged };
}

const baseTypes: Record<string, JsonSchema> = {
  boolean_t: { type: 'boolean' },
  float_t: { type: 'number' },
  integer_t: { type: 'integer' },
  long_t: { type: 'integer' },
  string_t: { type: 'string' },
  json_t: {},
};

/** What `observables` may name: types of values, attributes and objects that have a number for it. */
const observables = [
  ...Object.values(dictionary.types.attributes),
  ...Object.values(dictionary.attributes),
  ...[...files('objects').values()].map((path) => read(path) as Definition),
].flatMap(({ observable }) => (observable === undefined ? [] : [observable]));

/** Undefined if it is an object that is not compiled. */
function schemaOfType(type: string): JsonSchema | undefined {
  const defined = dictionary.types.attributes[type];
  if (defined) {
    const base = baseTypes[type] ?? (defined.type === undefined ? {} : schemaOfType(defined.type));
    return {
      ...base,
      ...(defined.regex !== undefined && { pattern: defined.regex }),
      ...(defined.max_len !== undefined && { maxLength: defined.max_len }),
      ...(defined.range && { minimum: defined.range[0], maximum: defined.range[1] }),
    };
  }
  if (type === 'object') return { type: 'object' };
  return objects.includes(type) ? { $ref: `#/$defs/${type}` } : undefined;
}

/** Attributes with numbers as values are closed; those with texts are examples. */
function valuesOf(schema: JsonSchema, values: Attribute['enum']): JsonSchema {
  if (!values || schema['type'] !== 'integer') return schema;
  const captions = Object.entries(values).map(([value, { caption = '' }]) => [value, caption]);
  return {
    ...schema,
    enum: Object.keys(values).map(Number),
    'x-captions': Object.fromEntries(captions) as unknown,
  };
}

function schemaOfAttribute(name: string, attribute: Attribute): JsonSchema | undefined {
  const merged = { ...dictionary.attributes[name], ...attribute };
  const values = { ...dictionary.attributes[name]?.enum, ...attribute.enum };
  const schema = schemaOfType(merged.type ?? 'string_t');
  if (!schema) return undefined;
  const item = valuesOf(schema, Object.keys(values).length > 0 ? values : undefined);
  return merged.is_array === true ? { type: 'array', items: item } : item;
}

const withValues = (attribute: Attribute, values: readonly number[]): Attribute => ({
  ...attribute,
  enum: { ...attribute.enum, ...Object.fromEntries(values.map((value) => [value, {}])) },
});

function schemaOf(name: string): JsonSchema {
  const { attributes, constraints, caption } = resolve(name);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, attribute] of Object.entries(attributes)) {
    const isObservable = name === 'observable' && key === 'type_id';
    const schema = schemaOfAttribute(key, isObservable ? withValues(attribute, observables) : attribute);
    if (schema) properties[key] = schema;
    if (attribute.requirement === 'required') required.push(key);
  }
  const oneOf = (names: string[] | undefined): JsonSchema[] =>
    (names ?? []).map((key) => ({ required: [key] }));
  const { at_least_one, just_one } = constraints ?? {};
  return {
    title: caption,
    type: 'object',
    properties,
    required: required.sort(),
    additionalProperties: false,
    ...(at_least_one && { anyOf: oneOf(at_least_one) }),
    ...(just_one && { oneOf: oneOf(just_one) }),
  };
}

/** The ids that follow from the class, as the compiler of OCSF computes them. */
function schemaOfClass(name: string): JsonSchema {
  const { uid = 0, category } = resolve(name);
  const categoryUid = category === undefined ? 0 : (categories[category]?.uid ?? 0);
  const classUid = categoryUid * 1000 + uid;
  const schema = schemaOf(name) as JsonSchema & { properties: Record<string, JsonSchema> };
  const activities = schema.properties['activity_id']?.['enum'] as number[];
  return {
    ...schema,
    properties: {
      ...schema.properties,
      category_uid: { const: categoryUid },
      class_uid: { const: classUid },
      type_uid: { type: 'integer', enum: activities.map((activity) => classUid * 100 + activity) },
    },
  };
}

const document = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $comment: `Compiled from https://github.com/ocsf/ocsf-schema at ${commit}, under the Apache License 2.0.`,
  $defs: Object.fromEntries([
    ...classes.map((name) => [name, schemaOfClass(name)] as const),
    ...objects.filter((name) => name !== 'object').map((name) => [name, schemaOf(name)] as const),
  ]),
};
process.stdout.write(`${JSON.stringify(document, null, 1)}\n`);
