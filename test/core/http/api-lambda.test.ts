import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { ConflictError } from '../../../core/kernel/conflict-error.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { json, type HttpResponse } from '../../../core/http/responses.ts';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import {
  bodilessLambda,
  jsonLambda,
  signedLambda,
  type Handler,
  largestList,
} from '../../../core/http/api-lambda.ts';
import { logger } from '../../../core/kernel/observability.ts';

const event = (over: Partial<ApiEvent> = {}): ApiEvent =>
  ({
    version: '2.0',
    headers: {},
    isBase64Encoded: false,
    requestContext: {
      requestId: 'the-request',
      domainName: 'api.omi.example',
      http: { sourceIp: '192.0.2.1' },
    },
    ...over,
  }) as ApiEvent;

const context = { getRemainingTimeInMillis: () => 5_000, awsRequestId: 'x', functionName: 'f' } as Context;

const call = async (lambda: unknown, given: ApiEvent = event()): Promise<HttpResponse> =>
  await (lambda as (event: ApiEvent, context: Context) => Promise<HttpResponse>)(given, context);

const bodyOf = (answer: HttpResponse): unknown => JSON.parse(answer.body ?? '');
const echo: Handler = ({ body }) => Promise.resolve(json(200, { body }));
const failing =
  (error: unknown): Handler =>
  () =>
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any value may be thrown at it
    Promise.reject(error);

const logged = (['info', 'warn', 'error'] as const).map((level) => jest.spyOn(logger, level));
beforeEach(() => {
  for (const spy of logged) spy.mockReset();
});

describe('every response', () => {
  test('must not be cached', async () => {
    for (const handler of [echo, failing(new Error('no'))]) {
      expect((await call(bodilessLambda(handler))).headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

describe('a response of more than 256 KB', () => {
  const sized = (bytes: number): HttpResponse => ({ statusCode: 200, body: 'x'.repeat(bytes) });
  const bodies = { jsonLambda: '{}', signedLambda: 'a.b.c', bodilessLambda: '' };
  const types = { jsonLambda: 'application/json', signedLambda: 'application/jose', bodilessLambda: '' };

  describe.each(Object.entries({ bodilessLambda, jsonLambda, signedLambda }))('of a %s', (name, lambda) => {
    const kind = name as keyof typeof bodies;
    const given = () => event({ headers: { 'content-type': types[kind] }, body: bodies[kind] });

    test('becomes a 503, and a line in the log', async () => {
      const answer = await call(
        lambda(async () => await Promise.resolve(sized(256 * 1024 + 1))),
        given(),
      );
      expect(answer.statusCode).toBe(503);
      expect(bodyOf(answer)).toMatchObject({ code: 'temporarily-unavailable' });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '60' });
      expect(logged[2]).toHaveBeenCalledWith('failed', {
        outcome: 'response-too-large',
        size: 262_145,
        traceId: 'the-request',
      });
    });

    test('is counted in bytes, exactly', async () => {
      const largest = await call(
        lambda(async () => await Promise.resolve(sized(256 * 1024))),
        given(),
      );
      expect(largest.statusCode).toBe(200);
      const umlauts: HttpResponse = { statusCode: 200, body: 'ü'.repeat(128 * 1024 + 1) };
      expect(
        (
          await call(
            lambda(async () => await Promise.resolve(umlauts)),
            given(),
          )
        ).statusCode,
      ).toBe(503);
    });

    test('is replaced even if it is a problem document', async () => {
      const errors = Array.from({ length: 100_000 }, () => ({ pointer: '/', detail: 'expected less' }));
      const refusal = new Refusal('invalid-request', 'The request has faults.', { errors });
      const { body = '' } = await call(lambda(failing(refusal)), given());
      expect(body.length).toBeLessThan(1_000);
    });
  });
});

test("the largest list stays below Lambda's limit of 6 MB, although it is quoted once more", () => {
  const ids = Array.from({ length: Math.floor(largestList / 39) }, () => 'x'.repeat(36));
  const response = JSON.stringify(json(200, { ids }));
  expect(Buffer.byteLength(response)).toBeLessThan(6 * 1024 * 1024);
});

test('a body that is nested too deeply for the parser is a 400', async () => {
  const body = `{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  for (const lambda of [jsonLambda(echo), jsonLambda(echo, { exact: true })]) {
    const answer = await call(lambda, event({ headers: { 'content-type': 'application/json' }, body }));
    expect(answer.statusCode).toBe(400);
    expect(bodyOf(answer)).toMatchObject({
      errors: [{ pointer: '', detail: 'expected fewer levels of nesting' }],
    });
  }
});

test('a name of one character is the same with and without an escape, whatever was read before', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const options of [{}, { exact: true }]) {
    JSON.parse(String.raw`{"amount":"1","\\":1}`);
    let read: unknown;
    const handler: Handler = async ({ body }) => {
      read = body;
      return await Promise.resolve(json(200, {}));
    };
    const body = String.raw`{"amount":"1","\u984d":1}`;
    await call(jsonLambda(handler, options), event({ headers, body }));
    expect(read).toEqual({ amount: '1', 額: 1 });
  }
});

describe('a request that the authorizer accepted only for a 401', () => {
  const refused = event({
    headers: { 'content-type': 'text/plain' },
    body: 'no body that any endpoint takes',
    requestContext: {
      ...event().requestContext,
      authorizer: { lambda: { unauthenticated: true } },
    },
  });

  test.each([{ unauthenticated: false }, { unauthenticated: 'true' }, {}, undefined])(
    'is distinguished from others, such as one with the context %j',
    async (lambda) => {
      const authorizer = lambda && { lambda };
      const given = event({
        requestContext: { ...event().requestContext, ...(authorizer && { authorizer }) },
      });
      expect((await call(bodilessLambda(echo), given)).statusCode).toBe(200);
    },
  );

  test.each(Object.entries({ bodilessLambda, jsonLambda, signedLambda }))(
    'is refused by every %s before anything is read',
    async (_, lambda) => {
      const handler = jest.fn(echo);
      const answer = await call(lambda(handler), refused);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers).toMatchObject({
        'www-authenticate': 'Bearer error="invalid_token"',
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      expect(bodyOf(answer)).toEqual({ message: 'Unauthorized' });
      expect(handler).not.toHaveBeenCalled();
    },
  );
});

describe('a refusal', () => {
  test('becomes a problem document with everything that the caller may know', async () => {
    const errors = [{ pointer: '/message', detail: 'expected a string' }];
    const refusal = new Refusal('invalid-request', 'The request has 1 fault.', { errors });
    const answer = await call(bodilessLambda(failing(refusal)));
    expect(answer.statusCode).toBe(400);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json' });
    expect(bodyOf(answer)).toEqual({
      type: 'https://api.omi.example/problems/invalid-request',
      title: 'The request is not valid',
      status: 400,
      detail: 'The request has 1 fault.',
      code: 'invalid-request',
      traceId: 'the-request',
      errors,
    });
  });

  test('leads to a page of the API that was called, also of a local one', async () => {
    const refused = failing(new Refusal('device-not-found', 'The user has no device.'));
    const inCloud = { 'x-forwarded-proto': 'https', 'x-forwarded-port': '99999' };
    expect(bodyOf(await call(bodilessLambda(refused), event({ headers: inCloud })))).toMatchObject({
      type: 'https://api.omi.example/problems/device-not-found',
    });
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-port': '8080' };
    const requestContext = { ...event().requestContext, domainName: '127.0.0.1' };
    const answer = await call(bodilessLambda(refused), event({ headers, requestContext }));
    expect(bodyOf(answer)).toMatchObject({ type: 'http://127.0.0.1:8080/problems/device-not-found' });
  });

  test('is a line of the log with the traceId of the answer', async () => {
    await call(bodilessLambda(failing(new Refusal('device-not-found', 'The user has no device.'))));
    const [info] = logged;
    expect(info?.mock.calls).toEqual([
      ['refused', { outcome: 'device-not-found', status: 404, traceId: 'the-request' }],
    ]);
  });

  test('states when to retry', async () => {
    const answer = await call(
      bodilessLambda(failing(new Refusal('too-many-notifications', 'Wait.', { retryAfter: 7 }))),
    );
    expect(answer.headers).toMatchObject({ 'retry-after': '7' });
  });
});

describe('a fault of the service', () => {
  test.each([
    ['an error', new Error('table arn:aws:dynamodb:secret not found')],
    ['a lasting conflict', new ConflictError('busy')],
    ['a thrown text', 'text'],
  ])('is a 503 with Retry-After and without details: %s', async (_, error) => {
    const answer = await call(bodilessLambda(failing(error)));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '2' });
    expect(bodyOf(answer)).toMatchObject({ code: 'temporarily-unavailable', traceId: 'the-request' });
    expect(answer.body).not.toContain('arn:');
    const lines = JSON.stringify(logged.map(({ mock }) => mock.calls));
    expect(lines).toContain('temporarily-unavailable');
    expect(lines).toContain('"traceId":"the-request"');
    expect(lines).not.toContain('arn:');
  });

  test('a time-out becomes a response before Lambda ends the call', async () => {
    const endless: Handler = async () => await new Promise<HttpResponse>(() => undefined);
    const lambda = bodilessLambda(endless) as (event: ApiEvent, context: Context) => Promise<HttpResponse>;
    const answer = await lambda(event(), { ...context, getRemainingTimeInMillis: () => 550 });
    expect(answer.statusCode).toBe(503);
  });
});

describe('a JSON body', () => {
  const json = (body: string | undefined, contentType = 'application/json') =>
    event({ headers: { 'content-type': contentType }, ...(body !== undefined && { body }) });

  test('is parsed with every form of the media type', async () => {
    expect(
      bodyOf(await call(jsonLambda(echo), json('{"a":"ü"}', 'Application/JSON; charset=UTF-8'))),
    ).toEqual({
      body: { a: 'ü' },
    });
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('is rejected with the type %j', async (contentType, status) => {
    expect((await call(jsonLambda(echo), json('{}', contentType))).statusCode).toBe(status);
  });

  test.each(['{', '', undefined, '{"__proto__":{"a":1}}', '[]', 'null', '"text"', '1'])(
    'is invalid: %j',
    async (body) => {
      const answer = await call(jsonLambda(echo), json(body));
      expect(bodyOf(answer)).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '' }] });
    },
  );

  test.each([
    ['{"__proto__":{"a":1}}', '__proto__'],
    ['{"a":{"constructor":{"prototype":1}}}', 'constructor'],
    [String.raw`{"\u005f_proto__":1}`, '__proto__'],
  ])('is rejected with the name of a forbidden member: %j', async (body, name) => {
    const answer = await call(jsonLambda(echo), json(body));
    expect(bodyOf(answer)).toMatchObject({
      errors: [{ pointer: '', detail: `expected no member '${name}'` }],
    });
  });

  test.each([{}, { exact: true }, { refuseAmbiguities: () => undefined }])(
    'is rejected if it is not UTF-8, with the options %j',
    async (options) => {
      const body = Buffer.from('{"message":"Zahle an M\u00fcller"}', 'latin1').toString('base64');
      const answer = await call(jsonLambda(echo, options), { ...json(body), isBase64Encoded: true });
      expect(answer.statusCode).toBe(400);
      expect(bodyOf(answer)).toMatchObject({
        code: 'invalid-request',
        errors: [{ pointer: '', detail: 'expected UTF-8 (RFC 8259, section 8.1)' }],
      });
    },
  );

  test('is too large with more than 64 KiB', async () => {
    const body = JSON.stringify({ message: 'ü'.repeat(33_000) });
    expect((await call(jsonLambda(echo), json(body))).statusCode).toBe(413);
  });
});

describe('a signed body', () => {
  test('is read as text, although the gateway passes it as base64', async () => {
    const given = event({
      headers: { 'content-type': 'application/jose' },
      body: Buffer.from('a.b.c').toString('base64'),
      isBase64Encoded: true,
    });
    expect(bodyOf(await call(signedLambda(echo), given))).toEqual({ body: 'a.b.c' });
  });

  test('is rejected with another media type', async () => {
    const given = event({ headers: { 'content-type': 'application/json' }, body: '{}' });
    expect((await call(signedLambda(echo), given)).statusCode).toBe(415);
  });
});
