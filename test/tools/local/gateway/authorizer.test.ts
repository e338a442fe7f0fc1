import { describe, expect, test } from '@jest/globals';
import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { type Event, eventOf, gatewayWith, type Received, send } from './gateway.ts';

type Authorize = (event: APIGatewayRequestAuthorizerEventV2) => unknown;

/** A gateway whose authorizer's calls are counted, and whose clock a test can set. */
async function guarded(authorize: Authorize) {
  const calls: APIGatewayRequestAuthorizerEventV2[] = [];
  const clock = { now: 0 };
  const url = await gatewayWith(
    {
      authorize: (event: Event) => {
        calls.push(event as APIGatewayRequestAuthorizerEventV2);
        return authorize(event as APIGatewayRequestAuthorizerEventV2);
      },
    },
    { now: () => clock.now },
  );
  const call = async (token: string | undefined, path = '/omi/users/anna'): Promise<Received> =>
    await send(url, { path, headers: token === undefined ? {} : { Authorization: token } });
  return { url, calls, clock, call };
}

const failing = (message: string) => () => {
  throw new Error(message);
};
const told = ({ status, text }: Received) => ({ status, text });

test("the authorizer's context reaches the Lambda, with numbers and maps unchanged", async () => {
  const context = { tenantId: 't', exp: 7, settings: { deep: { yes: true } } };
  const { url } = await guarded(() => ({ isAuthorized: true, context }));
  const { requestContext } = await eventOf(url, { path: '/omi/users/anna', headers: { authorization: 'x' } });
  expect(requestContext.authorizer).toEqual({ lambda: context });
});

test('the authorizer sees the request in format 2.0, with its identity sources', async () => {
  const { calls, call } = await guarded(() => ({ isAuthorized: true }));
  expect((await call('Bearer a', '/omi/users/anna?x=1')).status).toBe(200);
  expect(calls[0]).toMatchObject({
    version: '2.0',
    type: 'REQUEST',
    routeArn: 'arn:aws:execute-api:eu-central-1:000000000000:omilocal/$default/GET/omi/users/anna',
    identitySource: ['Bearer a', 'GET /omi/users/{userId}'],
    routeKey: 'GET /omi/users/{userId}',
    rawPath: '/omi/users/anna',
    rawQueryString: 'x=1',
    queryStringParameters: { x: '1' },
    headers: { authorization: 'Bearer a' },
    pathParameters: { userId: 'anna' },
    requestContext: { http: { method: 'GET' }, stage: '$default' },
  });
});

test('a device route does not call the authorizer', async () => {
  const { url, calls } = await guarded(() => ({ isAuthorized: false }));
  expect((await send(url)).status).toBe(200);
  expect(calls).toEqual([]);
});

describe('the gateway', () => {
  test.each([undefined, ''])(
    'rejects a request with the Authorization header %j without calling the authorizer',
    async (token) => {
      const { calls, call } = await guarded(() => ({ isAuthorized: true }));
      expect(told(await call(token))).toEqual({ status: 401, text: '{"message":"Unauthorized"}' });
      expect(calls).toEqual([]);
    },
  );

  test.each([
    ['isAuthorized: false', () => ({ isAuthorized: false }), 403, 'Forbidden'],
    ["the answer 'Unauthorized'", () => ({ errorMessage: 'Unauthorized' }), 401, 'Unauthorized'],
    ['another errorMessage', () => ({ errorMessage: 'unauthorized' }), 500, 'Internal Server Error'],
    ["the error 'Unauthorized'", failing('Unauthorized'), 401, 'Unauthorized'],
    ['another error', failing('unauthorized?'), 500, 'Internal Server Error'],
    ['no simple response', () => ({ principalId: 'me' }), 500, 'Internal Server Error'],
    ['nothing', () => undefined, 500, 'Internal Server Error'],
  ])('rejects a request after %s', async (_, authorize: Authorize, status, message) => {
    const { call } = await guarded(authorize);
    expect(told(await call('x'))).toEqual({ status, text: JSON.stringify({ message }) });
  });
});

describe("the authorizer's cache", () => {
  test.each([true, false])('keeps isAuthorized: %s for 300 s', async (isAuthorized) => {
    const { calls, clock, call } = await guarded(() => ({ isAuthorized }));
    const { status } = await call('x');
    clock.now = 299_999;
    expect((await call('x', '/omi/users/bob')).status).toBe(status);
    expect(calls).toHaveLength(1);
    clock.now = 300_000;
    await call('x');
    expect(calls).toHaveLength(2);
  });

  test('is separate for each token and route', async () => {
    const { calls, call } = await guarded(({ routeKey }) => ({ isAuthorized: routeKey.includes('users') }));
    expect((await call('x')).status).toBe(200);
    expect((await call('x', '/omi/others')).status).toBe(403);
    expect((await call('y')).status).toBe(200);
    expect(calls).toHaveLength(3);
  });

  test.each(['Unauthorized', 'broken'])('does not keep the error %s', async (message) => {
    let fails = true;
    const { calls, call } = await guarded(() => (fails ? failing(message)() : { isAuthorized: true }));
    expect((await call('x')).status).toBeGreaterThanOrEqual(401);
    fails = false;
    expect((await call('x')).status).toBe(200);
    expect(calls).toHaveLength(2);
  });
});
