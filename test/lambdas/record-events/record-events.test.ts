import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import fc from 'fast-check';
import { reservedTypes } from '../../../core/events/catalogue.ts';
import type { HttpResponse } from '../../../core/http/responses.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { testDatabase } from '../../support/dynamodb.ts';
import { callOf } from '../../support/event-arbitraries.ts';
import { allItems, storedIn } from '../../support/stored-events.ts';
import { propertyRuns } from '../../support/property-runs.ts';

type Lambda = (event: unknown, context: Context) => Promise<HttpResponse>;
type Problem = { code: string; detail: string; errors?: { pointer: string; detail: string }[] };

let client: DynamoDBDocumentClient;
let lambda: Lambda;
let tenantId: string;

beforeAll(async () => {
  client = await testDatabase({ events: 'events', ledger: 'ledger' });
  Object.assign(process.env, {
    EVENTS_TABLE: 'events',
    LEDGER_TABLE: 'ledger',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const { handler } = await import('../../../lambdas/record-events/index.ts');
  lambda = handler as unknown as Lambda;
});
beforeEach(() => {
  tenantId = randomUUID();
});

const context = { getRemainingTimeInMillis: () => 25_000, awsRequestId: 'x', functionName: 'f' } as Context;

/** A call as the gateway passes it on, of this text. */
async function post(
  body: string,
  { exp = 4e9, contentType = 'application/json' } = {},
): Promise<HttpResponse> {
  const requester = { tenant: 'Example Bank', client: 'identity' };
  const caller = {
    tenantId,
    clientId: 'identity',
    requester,
    tokenExpiresAt: exp,
    settings: defaultSettings,
  };
  return await lambda(
    {
      version: '2.0',
      headers: { 'content-type': contentType },
      body,
      isBase64Encoded: false,
      requestContext: {
        requestId: 'the-request',
        http: { sourceIp: '192.0.2.1' },
        authorizer: { lambda: caller },
      },
    },
    context,
  );
}

const record = async (events: unknown): Promise<HttpResponse> => await post(JSON.stringify({ events }));

async function refusal(
  call: Promise<HttpResponse>,
): Promise<Problem & { status: number | undefined; pointers: string[] }> {
  const { statusCode: status, body = '' } = await call;
  const problem = JSON.parse(body) as Problem;
  return { ...problem, status, pointers: (problem.errors ?? []).map(({ pointer }) => pointer) };
}

const metadata = () => ({
  eventId: randomUUID() as string,
  metadataVersion: '1.0',
  occurredTime: '2026-03-01T09:30:00.120+01:00',
  producerId: 'identity',
  producerInstanceId: 'identity-1',
  tenantId,
});
const created = (fields: object = {}, payload: object = { userId: 'alice' }) => ({
  metadata: {
    ...metadata(),
    aggregateId: 'alice',
    category: 'public',
    payloadVersion: '1.0',
    type: 'UserCreatedEvent',
    ...fields,
  },
  payload,
});
const logged = (payload: unknown, fields: object = {}) => ({
  metadata: {
    ...metadata(),
    category: 'log',
    description: 'x',
    type: 'SomethingEvent',
    agent: 'alice',
    ...fields,
  },
  payload,
});

const stored = async (): Promise<string[]> => await storedIn(client, `${tenantId}#alice`);
const nothingStored = async (): Promise<boolean> =>
  !(await allItems(client)).some(({ pk }) => pk.includes(tenantId));

describe('recording', () => {
  test('reports how many events were accepted, including known ones', async () => {
    const events = [created(), created()];
    for (const call of [events, events, [...events, created()]]) {
      expect(await record(call)).toMatchObject({
        statusCode: 202,
        body: JSON.stringify({ accepted: call.length }),
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      });
    }
    expect(await stored()).toHaveLength(3);
  });

  test('accepts every valid call', async () => {
    await fc.assert(
      fc.asyncProperty(callOf(tenantId), async (events) => {
        expect((await record(events)).statusCode).toBe(202);
      }),
      { numRuns: propertyRuns(20) },
    );
  });

  test('keeps the digits that were written, without their white space', async () => {
    const payload =
      '{"big":12345678901234567890,"exact":1.10,"__proto__":{"x":[]},"text":"\\u0000é\u2028🦊"}';
    const event = JSON.stringify(logged(0)).replace(/0}$/, `${payload}}`);
    const spaced = event.replaceAll('":', '" :\n').replaceAll(',"', ' ,\t"');
    expect((await post(`{ "events" : [ ${spaced} ] }`)).statusCode).toBe(202);
    expect(await storedIn(client, `log#${tenantId}#alice`)).toEqual([event]);
    expect((await post(`{"events":[${event}]}`)).statusCode).toBe(202);
  });

  test('happens once for any number of identical concurrent calls', async () => {
    const events = Array.from({ length: 20 }, () => created());
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await record(events)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array<number>(8).fill(202));
    expect(await stored()).toEqual(events.map((event) => JSON.stringify(event)));
  });

  test('accepts the tenant id in any case', async () => {
    expect((await record([created({ tenantId: tenantId.toUpperCase() })])).statusCode).toBe(202);
    expect(await stored()).toHaveLength(1);
  });
});

describe('a refused call', () => {
  test('lists every fault of every event', async () => {
    const [known, other] = [created(), created()];
    const events = [
      created({ type: 'UnknownEvent' }),
      known,
      created({ payloadVersion: '9.9', hostIp: 'here' }),
      'text',
      { ...other, more: 1 },
      created({ eventId: known.metadata.eventId.toUpperCase() }),
      logged('x'.repeat(300_000)),
    ];
    const { status, code, pointers } = await refusal(record(events));
    expect([status, code]).toEqual([400, 'invalid-request']);
    expect(pointers.toSorted()).toEqual([
      '/events/0/metadata/type',
      '/events/2/metadata/hostIp',
      '/events/2/metadata/payloadVersion',
      '/events/3',
      '/events/4/more',
      '/events/5/metadata/eventId',
      '/events/6',
    ]);
    expect(await nothingStored()).toBe(true);
  });

  test('names an id that another event of the aggregate has', async () => {
    const known = created();
    await record([known]);
    const call = record([created(), { ...known, payload: { userId: 'bob' } }]);
    expect(await refusal(call)).toMatchObject({
      status: 409,
      code: 'event-id-already-used',
      pointers: ['/events/1/metadata/eventId'],
    });
    expect(await stored()).toEqual([JSON.stringify(known)]);
  });

  test('names events of another tenant', async () => {
    const call = record([
      created(),
      created({ tenantId: randomUUID() }),
      logged(1, { tenantId: randomUUID() }),
    ]);
    expect(await refusal(call)).toMatchObject({
      status: 403,
      code: 'wrong-tenant',
      pointers: ['/events/1/metadata/tenantId', '/events/2/metadata/tenantId'],
    });
    expect(await nothingStored()).toBe(true);
  });

  test.each(reservedTypes)('has an event of the reserved type %s, in either category', async (type) => {
    const call = record([created({ type }), created(), logged(1, { type })]);
    expect(await refusal(call)).toMatchObject({
      status: 403,
      code: 'reserved-type',
      pointers: ['/events/0/metadata/type', '/events/2/metadata/type'],
    });
    expect(await nothingStored()).toBe(true);
  });

  test("has the service's own producer id, in either category, and its type is named", async () => {
    const producerId = 'omi';
    const type = 'UserErasedEvent';
    const call = record([created({ producerId }), logged(1, { producerId, type }), logged(1, { type })]);
    expect(await refusal(call)).toMatchObject({
      status: 403,
      code: 'reserved-type',
      pointers: [
        '/events/0/metadata/producerId',
        '/events/1/metadata/type',
        '/events/1/metadata/producerId',
        '/events/2/metadata/type',
      ],
    });
    expect(await nothingStored()).toBe(true);
    for (const other of ['omi-2', 'my-omi', 'OMIX'])
      expect((await record([created({ producerId: other })])).statusCode).toBe(202);
  });

  test('is refused for its tenant before its type', async () => {
    const call = record([created({ producerId: 'omi' }), created({ tenantId: randomUUID() })]);
    expect(await refusal(call)).toMatchObject({ code: 'wrong-tenant' });
  });

  test('is refused for malformed values before missing rights', async () => {
    const call = record([created({ tenantId: 'mine' }), created({ tenantId: randomUUID() })]);
    expect(await refusal(call)).toMatchObject({ status: 400, pointers: ['/events/0/metadata/tenantId'] });
  });
});

describe('limits', () => {
  const sized = (bytes: number) => {
    const event = logged('');
    return { ...event, payload: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(event))) };
  };
  const callOfSize = (bytes: number): string => {
    const body = JSON.stringify({ events: Array.from({ length: 90 }, () => sized(34_000)) });
    return body + ' '.repeat(bytes - body.length);
  };

  test('are 100 events per call', async () => {
    const events = Array.from({ length: 101 }, () => created());
    expect(await refusal(record(events))).toMatchObject({ status: 413, code: 'too-large' });
    expect((await record(events.slice(1))).statusCode).toBe(202);
  });

  test('are 3 MiB per call', async () => {
    const largest = 3 * 1024 * 1024;
    expect(await refusal(post(callOfSize(largest + 1)))).toMatchObject({ status: 413, code: 'too-large' });
    expect((await post(callOfSize(largest))).statusCode).toBe(202);
  });

  test('are 256 KiB per event', async () => {
    expect((await record([sized(262_144)])).statusCode).toBe(202);
    expect(await refusal(record([created(), sized(262_145)]))).toMatchObject({
      status: 400,
      pointers: ['/events/1'],
    });
  });

  test('apply to the bytes of an event without white space', async () => {
    const event = JSON.stringify(sized(262_144));
    expect((await post(`{"events":[${event.replace(':', `:${' '.repeat(50_000)}`)}]}`)).statusCode).toBe(202);
    const wide = logged('é'.repeat(131_072));
    expect(await refusal(record([wide]))).toMatchObject({ status: 400, pointers: ['/events/0'] });
  });

  test.each([99, 100, 5_000, 200_000])(
    'do not include nesting, which causes no fault with %i levels',
    async (levels) => {
      const payload = '['.repeat(levels - 1) + ']'.repeat(levels - 1);
      const event = JSON.stringify(logged(0)).replace(/0}$/, `${payload}}`);
      const { statusCode } = await post(`{"events":[${event}]}`);
      expect(statusCode).toBe(levels <= 100 ? 202 : 400);
    },
  );
});

describe('a body', () => {
  test.each([
    ['no events', '{"events":[]}', ['/events']],
    ['nothing', '{}', ['/events']],
    ['events that are not a list', '{"events":{}}', ['/events']],
    ['other members', '{"events":[],"more":1}', ['/events', '/more']],
    ['a list', '[]', ['']],
    ['broken JSON', '{"events":[', ['']],
  ])('is refused with %s', async (_, body, pointers) => {
    expect(await refusal(post(body))).toMatchObject({ status: 400, code: 'invalid-request', pointers });
  });

  test('is refused with another media type', async () => {
    const call = post('{"events":[]}', { contentType: 'text/plain' });
    expect(await refusal(call)).toMatchObject({ status: 415, code: 'unsupported-media-type' });
  });

  test("is refused if the client's token has expired", async () => {
    expect(await refusal(post('{"events":[]}', { exp: 1 }))).toMatchObject({
      status: 401,
      code: 'unauthorized',
    });
  });

  test('gets an answer that the gateway can return, even if it is full of faults', async () => {
    const names = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${'/~'.repeat(500)}${index}`, 1]),
    );
    const events = Array.from({ length: 100 }, () => ({
      metadata: { ...names, tags: Array(20).fill('no') },
      ...names,
    }));
    const { body = '' } = await record(events);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(5_000_000);
  });
});
