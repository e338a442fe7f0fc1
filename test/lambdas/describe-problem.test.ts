import type { Context } from 'aws-lambda';
import { describe, expect, test } from '@jest/globals';
import type { ApiEvent } from '../../core/http/api-event.ts';
import { problems } from '../../core/http/problems.ts';
import type { HttpResponse } from '../../core/http/responses.ts';
import { handler } from '../../lambdas/describe-problem/index.ts';

const codes = Object.keys(problems);
const context = { getRemainingTimeInMillis: () => 5_000 } as Context;

const open = async (code: string): Promise<HttpResponse> => await call({ code });

async function call(
  pathParameters: Record<string, string>,
  { method, rawPath } = { method: 'GET', rawPath: '' },
): Promise<HttpResponse> {
  const requestContext = { requestId: 'a-request', http: { method, sourceIp: '192.0.2.1' } };
  const event = { headers: {}, pathParameters, rawPath, requestContext } as unknown as ApiEvent;
  return await (handler as (event: ApiEvent, context: Context) => Promise<HttpResponse>)(event, context);
}

describe('the page of a problem', () => {
  test.each(codes)('says what %s means and what to do', async (code) => {
    const { statusCode, body = '', headers } = await open(code);
    expect([statusCode, headers?.['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`<code>${code}</code></p><h1>`);
    // A meaning, or one for each call.
    expect(body).toMatch(/<\/h1><(p|ul)>.{20,}<h2>/);
    expect(body).not.toMatch(/<script|`|&amp;[a-z]+;/);
  });

  test('runs and loads nothing but its own style', async () => {
    const { headers } = await open('unauthorized');
    expect(headers?.['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  });

  test.each(['no-such-code', 'constructor', ''])('does not exist for %j', async (code) => {
    const { statusCode, body } = await open(code);
    expect(statusCode).toBe(404);
    expect(body).toContain('<a href="invalid-request">');
  });
});

const of = async (method: string, rawPath: string) => await call({ path: 'x' }, { method, rawPath });

test.each([
  ['GET', '/omi/users/a/b/devices'],
  ['DELETE', '/omi/users/a/b/devices/c'],
  ['POST', '/omi/push/user/a/b'],
  ['POST', '/omi/push/user/../../device/c'],
  ['GET', '/omi/users//devices'.replace('users/', `users/${'/'.repeat(10_000)}`)],
  ['GET', '/omi/staff/users/a/b'],
])('a user id with a slash is told what it may have: %s %s', async (method, path) => {
  const { statusCode, body = '', headers } = await of(method, path);
  expect([statusCode, headers?.['content-type']]).toEqual([400, 'application/problem+json']);
  expect(JSON.parse(body)).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '#/path/userId', detail: expect.stringContaining('A-Z a-z 0-9 . _ ~ @ : + -') }],
  });
});

test.each([
  ['PUT', '/omi/users/a/b/devices'],
  ['GET', '/omi/users/a/nothing'],
  ['GET', '/omi/users/a'],
])('any other path does not exist, as everywhere: %s %s', async (method, path) => {
  expect(await of(method, path)).toMatchObject({ statusCode: 404, body: '{"message":"Not Found"}' });
});
