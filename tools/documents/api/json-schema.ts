import { isDeepStrictEqual } from 'node:util';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { detailsCheck } from '../../../core/http/request-schemas.ts';
import { nothingHidden } from '../../../core/kernel/text.ts';

/** A schema object of OpenAPI 3.1, which is JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/**
 * The characters that `core/kernel/hidden-characters.ts` allows somewhere. Where it allows joiners, selectors and tags, the words
 * of the member say: a pattern would need every script by its name.
 */
const somewhere = String.raw`\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe02\ufe0e\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}`;
const never = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\ufffd`;
const allowed = `(?:[^${never}]|[${somewhere}])*`;
const plainText = `^${allowed}$`;
/** A few letters and a symbol are never seen. */
const visibleText = `^${allowed}(?![${never}])${String.raw`[\p{L}\p{N}\p{P}\p{S}]`}${allowed}$`;

/** Bytes in base64url without padding. */
const bytes = (length: number) => () => ({ pattern: `^[A-Za-z0-9_-]{${Math.ceil((length * 4) / 3)}}$` });

/** Redocly takes a schema with properties for one that has no others, also where it is a condition. */
const andOthers = { additionalProperties: true };

/** The purpose and the device that goes with it. */
const subjectOfRemoval: JsonSchema = {
  if: { properties: { purpose: { const: 'remove-device' } }, required: ['purpose'], ...andOthers },
  then: { properties: { subjectDeviceId: true }, required: ['subjectDeviceId'], ...andOthers },
  else: { properties: { subjectDeviceId: false }, ...andOthers },
};

/** What a check of `core/kernel/text.ts` or `core/devices/subscription.ts` asks for, known by its message: a function has no JSON Schema form. */
const checks: [RegExp, (limit: number) => JsonSchema][] = [
  [/^expected at most (\d+) characters \(code points\)$/, (maxLength) => ({ maxLength })],
  [/^expected well-formed Unicode, without lone surrogates$/, () => ({ pattern: plainText })],
  [
    /^expected at least one letter, number, punctuation mark or symbol$/,
    () => ({ minLength: 1, pattern: visibleText }),
  ],
  [/^expected at most (\d+) bytes of UTF-8$/, (maxLength) => ({ maxLength })],
  [/^expected an absolute URL$/, () => ({ format: 'uri' })],
  [/^expected a URL without user name|^expected a URL of an origin that is registered/, () => ({})],
  [/^expected the https URL of a known push service/, () => ({ format: 'uri' })],
  [/^expected an uncompressed point of P-256/, bytes(65)],
  [/^expected 16 bytes in base64url$/, bytes(16)],
  [/^expected a time with Z or an offset/, () => ({ format: 'date-time' })],
  [/^expected at least one of /, () => ({ minProperties: 1 })],
  [
    /^expected an IPv4 or IPv6 address$/,
    () => ({
      anyOf: ['ipv4', 'ipv6'].map((format) => ({ type: 'string', format })),
    }),
  ],
  [/^expected the id of the device that the confirmation removes$/, () => subjectOfRemoval],
  [/^expected no such member: only the purpose remove-device has it$/, () => subjectOfRemoval],
  [/^expected no member twice$/, () => ({ uniqueItems: true })],
  // The words of the member say it.
  [/^expected a whole number from 1 to the number of members$/, () => ({})],
];

function constraintOf(message: string): JsonSchema | undefined {
  for (const [known, constraint] of checks) {
    const match = known.exec(message);
    if (match) return constraint(Number(match[1]));
  }
  return undefined;
}

const longestCodePoint = 4;

/** JSON Schema counts code points; a limit of bytes that they cannot exceed needs no words of its own. */
const isImplied = (limit: number, { maxLength }: JsonSchema): boolean =>
  typeof maxLength === 'number' && maxLength * longestCodePoint <= limit;

type Action = { type: string; requirement?: unknown; message?: unknown };

/** What a list of authorization details is, as far as JSON Schema says it. The words of the member say the rest. */
const authorizationDetails = {
  minItems: 1,
  items: {
    type: 'object',
    properties: { type: { type: 'string', minLength: 1 } },
    required: ['type'],
    additionalProperties: true,
  },
};

const checkTypes: ReadonlySet<string> = new Set(['check', 'check_items', 'partial_check', 'ip']);

/** @throws {Error} for a check that nothing here knows: the document would promise less than the service asks */
function convertAction({ type, requirement, message }: Action, schema: JsonSchema): JsonSchema {
  const constraint = checkTypes.has(type) ? constraintOf(String(message)) : undefined;
  if (constraint) return { ...schema, ...constraint };
  if (type === 'max_bytes' && isImplied(Number(requirement), schema)) return schema;
  throw new Error(`No JSON Schema form is known for ${type}: ${String(message)}`);
}

function convertedAction(action: object, schema: JsonSchema): JsonSchema {
  if (action === detailsCheck) return { ...schema, ...authorizationDetails };
  if (action === nothingHidden) return { ...schema, pattern: plainText };
  return convertAction(action as Action, schema);
}

/** The converter's form of valibot's `never`, which `false` says in a word. */
const nothing = { not: {} };

/** The JSON Schema of what the service accepts, from the schema by which it checks. */
export function requestSchema(schema: v.GenericSchema): JsonSchema {
  const converted = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    overrideAction: ({ valibotAction, jsonSchema, errors }) =>
      errors ? convertedAction(valibotAction, { ...jsonSchema }) : undefined,
  });
  delete converted.$schema;
  return isDeepStrictEqual(converted.additionalProperties, nothing)
    ? { ...converted, additionalProperties: false }
    : { ...converted };
}

/** As {@link requestSchema}, with words and examples on its members. */
export function describedSchema(
  schema: v.GenericSchema,
  description: string,
  members: Record<string, JsonSchema>,
): JsonSchema {
  const { properties, ...rest } = requestSchema(schema) as { properties: Record<string, JsonSchema> };
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, ...members[name] },
  ]);
  return { description, ...rest, properties: Object.fromEntries(described) as JsonSchema };
}

/** A reference to a component schema. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
