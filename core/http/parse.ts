import * as v from 'valibot';
import { Refusal, type FieldFault } from '../domain/refusal.ts';

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
  if (issue.expected === 'never') return 'expected no such member';
  const missing = issue.received === 'undefined' ? ', which is missing' : '';
  return `expected ${issue.expected?.replaceAll('"', "'") ?? 'another value'}${missing}`;
}

const faultOf = (issue: Issue): FieldFault => ({ pointer: pointerOf(issue), detail: detailOf(issue) });

/**
 * Checks a request against its schema of `path`, `query` and `body`.
 *
 * @throws {Refusal} `invalid-request` with every fault at once
 */
export function parse<const Schema extends v.GenericSchema>(
  schema: Schema,
  request: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, request);
  if (result.success) return result.output;
  const errors = result.issues.map(faultOf);
  const count = errors.length === 1 ? '1 fault' : `${errors.length} faults`;
  throw new Refusal('invalid-request', `The request has ${count}.`, { errors });
}
