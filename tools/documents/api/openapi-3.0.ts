import type { JsonSchema, OpenApiDocument } from './document.ts';

type Node = Record<string, unknown>;

/** What a schema object of OpenAPI 3.0 has no word for. The description of the member says it. */
const unknownKeywords = [
  'contentMediaType',
  'contentSchema',
  'dependentRequired',
  'propertyNames',
  'if',
  'then',
  'else',
];

/** Members that hold values of the API instead of objects of OpenAPI. */
const holdsValues = new Set(['example', 'examples', 'enum', 'default', 'required', 'value']);

/** Members that hold schemas by names of the API. */
const holdsNamedSchemas = new Set(['properties', 'schemas']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasType = (schema: unknown, type: string): boolean => isNode(schema) && schema['type'] === type;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const typeOf = (value: unknown): string => (Number.isInteger(value) ? 'integer' : typeof value);

const reference = '#/components/schemas/';
const nameOf = ($ref: string): string => $ref.slice(reference.length);

/** Beside a `$ref`, OpenAPI 3.0 ignores everything. */
function wrapReference({ $ref, ...others }: Node): Node {
  if ($ref === undefined) return others;
  return Object.keys(others).length === 0 ? { $ref } : { ...others, allOf: [{ $ref }] };
}

/** `null` is a keyword there, and counts only beside a `type`: so a schema that is referred to is copied. */
function nullable(schema: Node, named: JsonSchema): Node {
  const { type, anyOf, ...others } = schema;
  if (Array.isArray(type)) {
    const [only, ...more] = type.filter((one) => one !== 'null') as string[];
    if (more.length > 0) throw new Error(`OpenAPI 3.0 has no list of types: ${JSON.stringify(type)}`);
    return { type: only, nullable: true, ...others };
  }
  if (!Array.isArray(anyOf) || !anyOf.some((one) => hasType(one, 'null'))) return schema;
  const [only, ...more] = anyOf.filter((one) => !hasType(one, 'null')) as Node[];
  if (only === undefined || more.length > 0) throw new Error('Expected one schema beside null');
  const { $ref, ...its } = only;
  const copied = typeof $ref === 'string' ? (named[nameOf($ref)] as Node) : {};
  return { ...copied, ...its, ...others, nullable: true };
}

/** Several forms of one text: generators would make a choice of equal types of it. */
function oneText(schema: Node): Node {
  const { anyOf, ...others } = schema;
  const isText = (one: unknown): boolean => hasType(one, 'string');
  return Array.isArray(anyOf) && anyOf.every(isText) ? { type: 'string', ...others } : schema;
}

/** A pattern there is one of ECMA-262 5.1, which knows no properties of characters. */
const isOlderPattern = (pattern: unknown): boolean => !/\\p\{|\\u\{/.test(String(pattern));

function changedKeywords(schema: Node): Node {
  const { const: only, examples, exclusiveMinimum, pattern, required, ...rest } = schema;
  const known = Object.entries(rest).filter(([keyword]) => !unknownKeywords.includes(keyword));
  const others: Node = Object.fromEntries(known);
  return {
    ...others,
    // Each list needs `items`, also one that is always empty.
    ...(others['type'] === 'array' && others['items'] === undefined && { items: {} }),
    ...(required !== undefined && !isEmptyList(required) && { required }),
    ...(only !== undefined && { type: typeOf(only), enum: [only] }),
    ...(examples !== undefined && (Array.isArray(examples) ? { example: examples[0] } : { examples })),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(pattern !== undefined && isOlderPattern(pattern) && { pattern }),
  };
}

/** Some generators know no ranges of statuses. This one is all that remains beside the statuses with a number. */
const nameIn30 = (name: string): string => (name === '5XX' ? 'default' : name);

/** A member that must not be there has the schema `false`, which 3.0 lacks. */
const isSchema30 = ([, schema]: [string, unknown]): boolean => schema !== false;

/**
 * Converts every object of the document.
 *
 * @param named the schemas by their names, as they are in 3.1
 * @param key what the object is in its parent
 */
function convert(value: unknown, named: JsonSchema, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one, named));
  if (!isNode(value)) return value;
  if (holdsNamedSchemas.has(key)) {
    const kept = Object.entries(value).filter(isSchema30);
    return Object.fromEntries(kept.map(([name, one]) => [name, convert(one, named)]));
  }
  const changed = wrapReference(changedKeywords(oneText(nullable(value, named))));
  return Object.fromEntries(
    Object.entries(changed).map(([name, one]) => [
      nameIn30(name),
      holdsValues.has(name) ? one : convert(one, named, name),
    ]),
  );
}

const namesIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(#\/components\/schemas\/[\w.-]+)"/g)].map(([, $ref = '']) =>
    nameOf($ref),
  );

/** Without what only the `webhooks` and the contents of signed messages refer to. */
function reachable(schemas: JsonSchema, ...roots: unknown[]): JsonSchema {
  const names = new Set(roots.flatMap(namesIn));
  // A set that grows is iterated to its new end.
  for (const name of names) for (const inner of namesIn(schemas[name])) names.add(inner);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

/**
 * The same API in OpenAPI 3.0.3, for generators that do not read 3.1. It says less: no `webhooks`, no contents of signed messages, no
 * members that depend on others, and no pattern for characters that nobody sees.
 */
export function openApi30Document(document: OpenApiDocument): Node {
  const { summary, license, ...info } = document.info;
  const named = document.components.schemas;
  const paths = convert(document.paths, named);
  const components = convert(document.components, named) as Record<string, JsonSchema>;
  const { schemas = {}, securitySchemes = {}, ...others } = components;
  // The callback of the `webhooks` alone has this one.
  const { notificationToken: _, ...used } = securitySchemes;
  return {
    openapi: '3.0.3',
    info: {
      ...info,
      description: `${summary}.\n\n${info.description}`,
      license: { name: license.name, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: document.servers,
    tags: document.tags,
    paths,
    components: { ...others, securitySchemes: used, schemas: reachable(schemas, paths, others) },
  };
}
