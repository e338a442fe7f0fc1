import * as v from 'valibot';
import { isObject } from '../domain/json.ts';
import { invalidRequest, type FieldFault } from '../domain/refusal.ts';

type Issue = v.BaseIssue<unknown>;

const escaped = (key: unknown): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON pointers go into the body; `#/path/…` and `#/query/…` name the rest (contract part 1). */
function pointerOf(issue: Issue): string {
  const [part, ...keys] = (issue.path ?? []).map(({ key }) => key);
  const pointer = keys.map((key) => `/${escaped(key)}`).join('');
  return part === 'body' ? pointer : `#/${escaped(part)}${pointer}`;
}

function detailOf(issue: Issue): string {
  if (issue.kind !== 'schema' || !issue.message.startsWith('Invalid ')) return issue.message;
  const missing = issue.received === 'undefined' ? ', which is missing' : '';
  return `expected ${issue.expected?.replaceAll('"', "'") ?? 'another value'}${missing}`;
}

const faultOf = (issue: Issue): FieldFault => ({ pointer: pointerOf(issue), detail: detailOf(issue) });

/**
 * The members of a closed body that its schema does not have. Valibot itself names the first of them alone, and
 * takes those for known that every object inherits.
 */
function unknownMembers(schema: RequestSchema, request: { body?: unknown }): FieldFault[] {
  const { body } = schema.entries;
  if (body?.type !== 'strict_object' || !isObject(request.body)) return [];
  const { entries } = body as v.StrictObjectSchema<v.ObjectEntries, undefined>;
  return Object.keys(request.body)
    .filter((name) => !Object.hasOwn(entries, name))
    .map((name) => ({ pointer: `/${escaped(name)}`, detail: 'expected no such member' }));
}

/** `path`, `query` and `body` of a request; a body that is a strict object has no other members. */
export type RequestSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * Checks a request against its schema.
 *
 * @throws {Refusal} `invalid-request` with every fault at once
 */
export function parse<const Schema extends RequestSchema>(
  schema: Schema,
  request: { path?: unknown; query?: unknown; body?: unknown },
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, request);
  const faults = (result.issues ?? []).filter(({ expected }) => expected !== 'never').map(faultOf);
  const errors = [...faults, ...unknownMembers(schema, request)];
  if (result.success && errors.length === 0) return result.output;
  throw invalidRequest(errors);
}
