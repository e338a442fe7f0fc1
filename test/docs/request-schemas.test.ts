/** Every body and parameter of the document against the schema by which the service checks it: what one accepts, the other does. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { dismissBody } from '../../core/export/targets/dismiss-given-up.ts';
import * as exports from '../../core/http/export-request.ts';
import * as website from '../../core/http/request-schemas.ts';
import * as signals from '../../core/signals/requests.ts';
import * as staff from '../../core/staff/requests.ts';
import { lifetimes } from '../../core/tenants/tenant.ts';
import type { RouteLambda } from '../../lambdas/routes.ts';
import {
  openApiDocument,
  operationIdOf,
  operations,
  type JsonSchema,
} from '../../tools/documents/api/document.ts';
import { faultsOf, ref } from '../support/openapi.ts';
import { propertyRuns } from '../support/property-runs.ts';

const bodies: Record<string, v.GenericSchema> = {
  PushRequest: website.pushBody(lifetimes.longest, ['https://shop.example']),
  GroupRequest: website.groupBody(lifetimes.longest),
  EnrolmentRequest: website.enrolmentBody,
  LabelRequest: website.labelBody,
  EnrolmentPreviewRequest: website.previewBody,
  NoMembers: exports.noMembers,
  TestRequest: exports.testBody,
  ReplayRequest: exports.replayBody,
  DismissRequest: dismissBody,
  StaffUserAct: staff.userActBody,
  StaffRecoveryRequest: staff.recoveryBody,
  StaffCheckRequest: staff.checkBody,
  StaffNumber: staff.numberBody,
  StaffExportAct: staff.steeringBody,
  SignalStreamRequest: signals.newStream,
  SignalStreamChange: signals.changedStream,
  SignalStatusChange: signals.statusBody,
  SignalVerification: signals.verificationBody,
  SignalPoll: signals.pollBody,
};

type Entries = v.ObjectEntries;
const none = v.object({});
const both = (
  path: v.ObjectSchema<Entries, undefined>,
  query: v.ObjectSchema<Entries, undefined> = none,
): Entries => ({ ...path.entries, ...query.entries });

const parameters: Partial<Record<RouteLambda, Entries>> = {
  'list-devices': both(website.userPath),
  'remove-device': both(website.devicePath, website.removalQuery),
  'send-to-device': both(website.devicePath),
  'send-to-user': both(website.userPath),
  'get-confirmation': both(website.nonceQuery),
  'get-group': both(website.nonceQuery),
  'withdraw-group': both(website.nonceQuery),
  'withdraw-confirmation': both(website.withdrawalQuery),
  'set-account-label': both(website.userPath),
  'get-enrolment': both(website.enrolmentQuery),
  'list-exports': both(exports.exportsQuery),
  'send-event': both(exports.eventPath),
  'test-export': both(exports.exportPath),
  'pause-export': both(exports.exportPath),
  'resume-export': both(exports.exportPath),
  'dismiss-given-up': both(exports.exportPath),
  'start-replay': both(exports.exportPath),
  'get-replay': both(exports.replayPath),
  'list-deliveries': both(website.categoryPath, website.deliveriesQuery),
  'get-ledger': both(website.categoryPath, website.ledgerQuery),
  'get-ledger-hour': both(website.ledgerHourPath, website.cursorQuery),
  'get-checkpoint': both(website.categoryPath, website.checkpointQuery),
  'get-inclusion-proof': both(website.categoryPath, website.inclusionQuery),
  'get-consistency-proof': both(website.categoryPath, website.consistencyQuery),
  'list-minutes': both(website.categoryPath, website.minutesQuery),
  'get-minute': both(website.minutePath, website.leavesQuery),
  'list-signal-streams': both(signals.anyStreamQuery),
  'delete-signal-stream': both(signals.streamQuery),
  'get-signal-status': both(signals.streamQuery),
  'poll-signals': both(signals.pollPath),
  'staff-show-tenant': both(staff.staffTenantPath),
  'staff-find-user': both(staff.staffUserPath, staff.staffUserQuery),
  'staff-change-user': both(staff.staffUserPath),
  'staff-remove-device': both(staff.staffDevicePath, staff.tenantQuery),
  'staff-allow-recovery': both(staff.staffUserPath),
  'staff-check-caller': both(staff.staffUserPath),
  'staff-get-check': both(staff.checkPath, staff.tenantQuery),
  'staff-compare-number': both(staff.checkPath),
  'staff-list-exports': both(staff.exportsQuery),
  'staff-steer-export': both(staff.staffExportPath),
  'staff-test-export': both(staff.staffExportPath),
  'staff-start-replay': both(staff.staffExportPath),
  'staff-get-replay': both(staff.staffReplayPath),
  'answer-challenge': { challengeId: v.string() },
  'get-brand': both(website.tenantPath),
  'get-logo': both(website.tenantPath),
  'describe-problem': { code: v.string() },
};

const { schemas } = openApiDocument.components;
const asked = [...operations.values()].flatMap(({ requestBody }) => {
  const { schema, examples } = requestBody?.content['application/json'] ?? {};
  return schema ? [{ name: String(schema['$ref']).split('/').at(-1) ?? '', examples }] : [];
});

/** Of other types, and texts that some format or list of values has. */
const odd = [
  ...[undefined, null, true, {}, [], 0, 1, 0.5, -1, '', ' ', '1', 'true', 'x', '.', 'público'],
  ...['anna@shop', 'public', 'log', 'active', 'parked', '47 08 91', '123456', 'https://shop.example/a'],
  ...['2026-03-02T10:00:00Z', '2026-03-02T10:00:00+01:00', '2026-03-02', 'é'.repeat(64)],
  ...['0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46', '0193AB52-6c1e-7d4a-9b1f-3e5c7a9d2b46'],
];

/** A limit, and what is next to it. */
const around = (limit: unknown): number[] =>
  typeof limit === 'number' && limit < 10_000 ? [limit - 1, limit, limit + 1] : [];

const lengthsOf = (schema: JsonSchema, shortest: string, longest: string): number[] =>
  [schema[shortest], schema[longest]].flatMap(around).filter((length) => length >= 0);

/** Limits that the pattern has, such as {16,128}. */
const repeatsOf = ({ pattern }: JsonSchema): number[] =>
  [...String(pattern).matchAll(/\{(\d+)(?:,(\d+))?\}/g)]
    .flatMap(([, least, most = least]) => [least, most].map(Number).flatMap(around))
    .filter((length) => length >= 0);

function near(schema: JsonSchema | false, example: unknown): unknown[] {
  if (schema === false) return [example, ...odd];
  const texts = [...lengthsOf(schema, 'minLength', 'maxLength'), ...repeatsOf(schema)];
  const [item = 'x'] = Array.isArray(example) ? (example as unknown[]) : [];
  const lists = lengthsOf(schema, 'minItems', 'maxItems').map((length) =>
    Array.from({ length }, (_, index) => (typeof item === 'string' ? `${item}${index}` : item)),
  );
  const values = [schema['enum'] ?? [], schema['const'] ?? []].flat();
  const numbers = [schema['minimum'], schema['maximum']].flatMap(around);
  // Valibot takes a list without members for an object.
  const others = schema['type'] === 'object' ? odd.filter((value) => !Array.isArray(value)) : odd;
  return [example, ...others, ...values, ...numbers, ...lists, ...texts.map((length) => 'a'.repeat(length))];
}

function agreement(schema: JsonSchema, checked: v.GenericSchema, value: unknown): void {
  expect([value, faultsOf(schema, value).length === 0]).toEqual([value, v.is(checked, value)]);
}

/** Rules that the document has in words alone: the members that the fault names, where JSON Schema accepts more. */
const inWords: Record<string, readonly string[]> = {
  StaffNumber: ['number'],
};

/** Whether words of the document, and nothing else, refuse the body. */
function isRefusedByWords(name: string, checked: v.GenericSchema, value: unknown): boolean {
  const { issues = [] } = v.safeParse(checked, value);
  return issues.length > 0 && issues.every((issue) => inWords[name]?.includes(v.getDotPath(issue) ?? ''));
}

/** As JSON carries it: a member that is `undefined` is gone. */
const asSent = (body: object): unknown => JSON.parse(JSON.stringify(body));

test('each JSON body of the document has a schema of the service', () => {
  // The test of recorded events has its own values.
  expect(new Set(asked.map(({ name }) => name))).toEqual(new Set([...Object.keys(bodies), 'RecordRequest']));
});

describe.each(Object.entries(bodies))('the body %s', (name, checked) => {
  const properties = (schemas[name]?.['properties'] ?? {}) as Record<string, JsonSchema | false>;
  const examples = asked
    .filter((one) => one.name === name)
    .flatMap((one) => Object.values(one.examples ?? {}))
    .map(({ value }) => value as Record<string, unknown>);
  const members = [...Object.keys(properties), 'unknown'];

  test('is documented as the service accepts it', () => {
    const change = fc.constantFrom(...members).chain((member) => {
      const shown = examples.map((example) => example[member]).find((value) => value !== undefined);
      const values = near(properties[member] ?? {}, shown);
      return fc.record({ member: fc.constant(member), value: fc.constantFrom(...values) });
    });
    const body = fc
      .tuple(fc.constantFrom(...examples), fc.array(change, { maxLength: 2 }))
      .map(([example, changes]) =>
        asSent({ ...example, ...Object.fromEntries(changes.map(({ member, value }) => [member, value])) }),
      );
    fc.assert(
      fc.property(body, (value) => {
        if (!isRefusedByWords(name, checked, value)) agreement(ref(name), checked, value);
      }),
      { numRuns: propertyRuns(1_000) },
    );
    for (const value of [null, 'text', 1]) agreement(ref(name), checked, value);
  });
});

test('the operations with parameters are those whose schema is here', () => {
  const documented = [...operations.values()].filter((one) => one.parameters.length > 0);
  expect(documented.map(({ operationId }) => operationId).toSorted()).toEqual(
    Object.keys(parameters)
      .map((lambda) => operationIdOf(lambda as RouteLambda))
      .toSorted(),
  );
});

describe.each(Object.entries(parameters))('the parameters of %s', (lambda, entries) => {
  const documented = operations.get(operationIdOf(lambda as RouteLambda))?.parameters ?? [];

  test('are documented as the service accepts them', () => {
    const needed = Object.entries(entries).map(([name, { type }]) => [name, type !== 'optional']);
    expect(documented.map(({ name, required }) => [name, required])).toEqual(needed);
    for (const { name, schema, example } of documented)
      for (const value of near(schema, example).filter((one) => typeof one === 'string'))
        agreement(schema, entries[name] ?? v.never(), value);
  });
});
