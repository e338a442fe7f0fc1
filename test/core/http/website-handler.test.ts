import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { json, type HttpResponse } from '../../../core/http/responses.ts';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import { bodilessLambda, jsonLambda } from '../../../core/http/api-lambda.ts';
import { userPath } from '../../../core/http/request-schemas.ts';
import { websiteHandler } from '../../../core/http/website-handler.ts';
import { logger } from '../../../core/kernel/observability.ts';

const tokenExpiresAt = 1_800_000_000;
const caller = {
  tenantId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  clientId: 'shop',
  tokenExpiresAt,
  requester: { tenant: 'Example Bank', client: 'client' },
  settings: defaultSettings,
};
const context = { getRemainingTimeInMillis: () => 5_000, awsRequestId: 'x', functionName: 'f' } as Context;

beforeEach(() => {
  jest.spyOn(logger, 'info').mockReset();
});

const eventOf = (userId: string): ApiEvent =>
  ({
    version: '2.0',
    headers: {},
    pathParameters: { userId },
    isBase64Encoded: false,
    requestContext: {
      requestId: 'the-request',
      http: { sourceIp: '192.0.2.1' },
      authorizer: { lambda: caller },
    },
  }) as unknown as ApiEvent;

/** What a call gets whose authorizer's answer came from the cache, at a time by the service's clock. */
async function answerAt(now: number, userId: string): Promise<HttpResponse> {
  const handle = websiteHandler(
    v.object({ path: userPath }),
    async ({ path }, call) => await Promise.resolve(json(200, { ...path, tenantId: call.caller.tenantId })),
    { clock: () => now },
  );
  const lambda = bodilessLambda(handle) as (event: ApiEvent, context: Context) => Promise<HttpResponse>;
  return await lambda(eventOf(userId), context);
}

test('a token is valid up to its last millisecond, for the tenant that the authorizer found', async () => {
  const { statusCode, body = '' } = await answerAt(tokenExpiresAt * 1000 - 1, 'alice');
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toEqual({ userId: 'alice', tenantId: caller.tenantId });
});

test('the schema of a request may depend on the caller', async () => {
  const handle = websiteHandler(
    ({ settings: { maxDevices } }) =>
      v.object({ body: v.strictObject({ count: v.pipe(v.number(), v.maxValue(maxDevices)) }) }),
    async ({ body }) => await Promise.resolve(json(200, body)),
    { clock: () => tokenExpiresAt * 1000 - 1 },
  );
  const lambda = jsonLambda(handle) as (event: ApiEvent, context: Context) => Promise<HttpResponse>;
  const answer = async (count: number): Promise<number | undefined> =>
    (
      await lambda(
        {
          ...eventOf('alice'),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ count }),
        },
        context,
      )
    ).statusCode;
  expect(await answer(defaultSettings.maxDevices)).toBe(200);
  expect(await answer(defaultSettings.maxDevices + 1)).toBe(400);
});

test.each(['alice', 'not a user id'])(
  'the cached answer of the authorizer is a 401 after its expiry, before the request is read (%s)',
  async (userId) => {
    const { statusCode, headers, body = '' } = await answerAt(tokenExpiresAt * 1000, userId);
    expect(statusCode).toBe(401);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json',
      'www-authenticate': 'Bearer error="invalid_token"',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(body)).toMatchObject({ code: 'unauthorized', status: 401, traceId: 'the-request' });
  },
);
