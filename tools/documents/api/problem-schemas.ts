/** What a refusal looks like: the service's own problem documents, and the gateway's plain form. */
import { problems } from '../../../core/http/problems.ts';
import type { RefusalCode } from '../../../core/kernel/refusal.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { strictObject, text, type Members } from './objects.ts';

const invalidRequests: RefusalCode[] = ['invalid-request', 'invalid_authorization_details'];
const unreachable: RefusalCode[] = ['group-not-reachable'];
const refusedEvents: RefusalCode[] = ['wrong-tenant', 'reserved-type', 'event-id-already-used'];

/** The problem documents with a member of their own. */
const special: Partial<Record<RefusalCode, string>> = {
  ...Object.fromEntries(invalidRequests.map((code) => [code, 'InvalidRequest'])),
  'clock-skew': 'ClockSkew',
  ...Object.fromEntries(unreachable.map((code) => [code, 'UnreachableGroup'])),
  ...Object.fromEntries(refusedEvents.map((code) => [code, 'RefusedEvents'])),
};
const formOf = (code: RefusalCode): string => special[code] ?? 'Problem';

const plainCodes = (Object.keys(problems) as RefusalCode[]).filter((code) => !special[code]);
const statuses = (codes: RefusalCode[]) =>
  [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b);

const problem = (description: string, codes: RefusalCode[], own: Members = {}): JsonSchema =>
  strictObject(description, {
    type: text('`urn:omi:problem:` and the code.', { format: 'uri' }),
    title: text('The same for every problem of this code.'),
    status: { type: 'integer', enum: statuses(codes), description: 'The HTTP status.' },
    detail: text('What is wrong with this call, for a developer.'),
    code: text('The code by which a program decides.', { enum: codes }),
    traceId: text('Identifies this call in questions to the operator.', { minLength: 1 }),
    ...own,
  });

const fault = strictObject('One fault.', {
  pointer: text(
    'The place: a JSON Pointer (RFC 6901) into the body or the claims, such as `/nonce`, empty for the whole; ' +
      '`#/path/<name>` or `#/query/<name>` for a parameter.',
  ),
  detail: text('What was expected there.'),
});

export const problemSchemas: Members = {
  Problem: problem('A problem document (RFC 9457).', plainCodes),
  InvalidRequest: problem(
    'A problem document that names the faults of the request, at most 100: `detail` says how many more there are.',
    invalidRequests,
    {
      errors: { type: 'array', items: fault, minItems: 1, maxItems: 100 },
    },
  ),
  RefusedEvents: problem(
    'A problem document that names the events for which a call is refused, with at most 100 faults: `detail` says how many more there are.',
    refusedEvents,
    {
      errors: { type: 'array', items: fault, minItems: 1, maxItems: 100 },
    },
  ),
  UnreachableGroup: problem('A problem document that names the members who cannot be asked.', unreachable, {
    errors: { type: 'array', items: fault, minItems: 1, maxItems: 20 },
  }),
  ClockSkew: problem("A problem document with the service's time.", ['clock-skew'], {
    serverTime: { ...ref('Time'), description: "The service's clock: sign `iat` by it." },
  }),
  GatewayError: strictObject('An answer of the gateway itself. The service answers 401 in this form, too.', {
    message: { type: 'string' },
  }),
};

/** The forms of several codes: an operation may answer some of them. */
const several = ['Problem', 'InvalidRequest', 'RefusedEvents'];

function schemaOf(form: string, codes: RefusalCode[], status: number): JsonSchema {
  if (!several.includes(form)) return ref(form);
  const narrowed = { type: 'object', properties: { status: { const: status }, code: { enum: codes } } };
  return { allOf: [ref(form), narrowed] };
}

/** The problem documents that an operation may answer with this status. */
export function problemsSchema(codes: RefusalCode[], status: number): JsonSchema {
  const schemas = [...Map.groupBy(codes, formOf)].map(([form, its]) => schemaOf(form, its, status));
  const [only, ...others] = schemas;
  return only && others.length === 0 ? only : { oneOf: schemas };
}
