import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { json, type HttpResponse } from '../../../core/http/responses.ts';
import type { ApiEvent } from '../../../core/http/api-event.ts';
import { requestContextOf } from '../../../core/http/request-context.ts';
import { bodilessLambda, jsonLambda, signedLambda, type Handler } from '../../../core/http/api-lambda.ts';

const secret = 's'.repeat(43);
const lambdas = Object.entries({ bodilessLambda, jsonLambda, signedLambda });
const context = { getRemainingTimeInMillis: () => 5_000, awsRequestId: 'x', functionName: 'f' } as Context;

afterEach(() => {
  delete process.env['EDGE_SECRETS'];
  delete process.env['EDGE_REQUIRED'];
});

const event = (headers: Record<string, string>): ApiEvent =>
  ({
    version: '2.0',
    headers,
    isBase64Encoded: false,
    requestContext: { requestId: 'the-request', http: { sourceIp: '192.0.2.1' } },
  }) as ApiEvent;

const hostIp: Handler = async (given) =>
  await Promise.resolve(json(200, requestContextOf(given, 0).origin.hostIp));

async function call(
  lambda: (typeof lambdas)[number][1],
  headers: Record<string, string>,
  handler = hostIp,
): Promise<HttpResponse> {
  const made = lambda(handler) as unknown as (event: ApiEvent, context: Context) => Promise<HttpResponse>;
  return await made(event(headers), context);
}

const addressOf = async (headers: Record<string, string>) => (await call(bodilessLambda, headers)).body;
const viewer = { 'cloudfront-viewer-address': '198.51.100.10:4711' };

describe('an API behind CloudFront', () => {
  const isBehind = (required: boolean) =>
    Object.assign(process.env, { EDGE_SECRETS: secret, EDGE_REQUIRED: String(required) });

  test.each(lambdas)(
    'rejects requests that bypassed CloudFront in every %s, before anything is read',
    async (_, lambda) => {
      isBehind(true);
      const handler = jest.fn(hostIp);
      for (const headers of [{}, { 'x-omi-edge': 'wrong' }, viewer]) {
        expect(await call(lambda, headers, handler)).toMatchObject({
          statusCode: 403,
          headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
          body: '{"message":"Forbidden"}',
        });
      }
      expect(handler).not.toHaveBeenCalled();
    },
  );

  test("uses CloudFront's address of the caller, or API Gateway's if there is none", async () => {
    isBehind(true);
    expect(await addressOf({ 'x-omi-edge': secret, ...viewer })).toBe('"198.51.100.10"');
    expect(await addressOf({ 'x-omi-edge': secret })).toBe('"192.0.2.1"');
  });

  test('does not trust the address of a request that bypassed CloudFront, while such requests are allowed', async () => {
    isBehind(false);
    expect(await addressOf(viewer)).toBe('"192.0.2.1"');
    expect(await addressOf({ 'x-omi-edge': 'wrong', ...viewer })).toBe('"192.0.2.1"');
    expect(await addressOf({ 'x-omi-edge': secret, ...viewer })).toBe('"198.51.100.10"');
  });
});

test('an API without CloudFront accepts every request, and trusts no header', async () => {
  expect(await addressOf({ 'x-omi-edge': secret, ...viewer, 'x-forwarded-for': '1.2.3.4' })).toBe(
    '"192.0.2.1"',
  );
});
