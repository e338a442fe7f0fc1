import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { pointerSegment } from '../kernel/json-pointer.ts';
import { isObject } from '../kernel/json.ts';
import { Refusal, refusalOf, type FieldFault } from '../kernel/refusal.ts';

type Issue = v.BaseIssue<unknown>;

const escaped = (key: unknown): string => pointerSegment(String(key));

/** JSON pointers refer to the body; `#/path/…` and `#/query/…` refer to parameters. */
function pointerOf(issue: Issue): string {
  const [part, ...keys] = (issue.path ?? []).map(({ key }) => key);
  const pointer = keys.map((key) => `/${escaped(key)}`).join('');
  return part === 'body' ? pointer : `#/${escaped(part)}${pointer}`;
}

function detailOf(issue: Issue): string {
  if (issue.expected === 'never') return 'expected no such member';
  // Valibot's own messages quote what was received.
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  const missing = issue.received === 'undefined' ? ', which is missing' : '';
  return `expected ${issue.expected?.replaceAll('"', "'") ?? 'another value'}${missing}`;
}

const faultOf = (issue: Issue): FieldFault => ({ pointer: pointerOf(issue), detail: detailOf(issue) });

/** A body whose members depend on what it has. */
const isLazy = (schema: v.GenericSchema | undefined): schema is v.LazySchema<v.GenericSchema> =>
  schema?.type === 'lazy';

/** The unknown members of a strict body. Valibot reports only the first one. */
function* unknownMembers(schema: RequestSchema, request: { body?: unknown }): Generator<FieldFault, void> {
  const { body: declared } = schema.entries;
  const body = isLazy(declared) ? declared.getter(request.body) : declared;
  if (body?.type !== 'strict_object' || !isObject(request.body)) return;
  const { entries } = body as v.StrictObjectSchema<v.ObjectEntries, undefined>;
  for (const name of Object.keys(request.body)) {
    if (Object.hasOwn(entries, name)) continue;
    yield { pointer: `/${escaped(name)}`, detail: 'expected no such member' };
  }
}

/** Reported by {@link unknownMembers} instead. */
const isUnknownMember = ({ expected, path }: Issue): boolean =>
  expected === 'never' && path?.length === 2 && path[0].key === 'body';

function* faultsOf(
  issues: readonly Issue[],
  schema: RequestSchema,
  request: { body?: unknown },
): Generator<FieldFault, void> {
  let previous: FieldFault | undefined;
  for (const fault of issues.filter((issue) => !isUnknownMember(issue)).map(faultOf)) {
    // A value may violate several checks with the same message.
    if (!isDeepStrictEqual(fault, previous)) yield fault;
    previous = fault;
  }
  yield* unknownMembers(schema, request);
}

/** The schema of a request's `path`, `query` and `body`. */
export type RequestSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** Makes the refusal of a request from its faults, if there are any. */
export type Refuse = (faults: Iterable<FieldFault>) => Refusal | undefined;

/**
 * Checks a request against its schema.
 *
 * @throws {Refusal} with all faults; `invalid-request` unless `refuse` says otherwise
 */
export function parseRequest<const Schema extends RequestSchema>(
  schema: Schema,
  request: { path?: unknown; query?: unknown; body?: unknown },
  refuse: Refuse = refusalOf,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, request);
  if (result.success) return result.output;
  const faults = faultsOf(result.issues, schema, request);
  throw refuse(faults) ?? new Refusal('invalid-request', 'The request is not valid.');
}
