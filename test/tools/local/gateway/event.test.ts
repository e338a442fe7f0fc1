import { describe, expect, test } from '@jest/globals';
import { eventOf, gatewayWith, routes, send } from './gateway.ts';

describe('the event of a Lambda', () => {
  test('has payload format 2.0', async () => {
    const url = await gatewayWith();
    const before = Date.now();
    const { headers, requestContext, ...event } = await eventOf(url, {
      path: '/omi/echo/a%20b/part/2?x=1',
      headers: { 'User-Agent': 'tester', 'X-Custom': 'Yes' },
    });
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /omi/echo/{id}/part/{part}',
      rawPath: '/omi/echo/a b/part/2',
      rawQueryString: 'x=1',
      queryStringParameters: { x: '1' },
      pathParameters: { id: 'a b', part: '2' },
      isBase64Encoded: false,
    });
    expect(requestContext).toEqual({
      accountId: '000000000000',
      apiId: 'omilocal',
      domainName: '127.0.0.1',
      domainPrefix: '127',
      http: {
        method: 'GET',
        path: '/omi/echo/a b/part/2',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'tester',
      },
      requestId: expect.stringMatching(/^[\w-]{15}=$/),
      routeKey: 'GET /omi/echo/{id}/part/{part}',
      stage: '$default',
      time: expect.stringMatching(/^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/),
      timeEpoch: expect.any(Number),
    });
    expect(requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
    expect(headers).toEqual({
      'content-length': '0',
      host: new URL(url).host,
      'user-agent': 'tester',
      'x-amzn-trace-id': expect.stringMatching(/^Root=1-[\da-f]{8}-[\da-f]{24}$/),
      'x-custom': 'Yes',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-port': new URL(url).port,
      'x-forwarded-proto': 'http',
    });
  });

  test('joins repeated headers and query parameters with commas, and separates cookies', async () => {
    const event = await eventOf(await gatewayWith(), {
      path: '/omi/echo?n=a%2Bb&n=c+d&e=',
      headers: { 'X-Many': ['1', '2'], Authorization: ['one', 'two'], Cookie: 'a=1; b=2' },
    });
    expect(event.headers).toMatchObject({ 'x-many': '1,2', authorization: 'one,two' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2']);
    expect(event.rawQueryString).toBe('n=a%2Bb&n=c+d&e=');
    expect(event.queryStringParameters).toEqual({ n: 'a+b,c d', e: '' });
  });

  test('keeps the trace and forwarding headers of a request through proxies', async () => {
    const { headers } = await eventOf(await gatewayWith(), {
      headers: { 'x-forwarded-for': '192.0.2.1', 'x-amzn-trace-id': 'Root=1-0-1' },
    });
    expect(headers).toMatchObject({
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-amzn-trace-id': 'Root=1-0-1',
    });
  });
});

describe('the path', () => {
  test.each([
    ['/omi/echo/%E2%82%AC/part/x', '€', 'UTF-8'],
    ['/omi/echo/a%23b/part/x', 'a#b', 'a number sign'],
    ['/omi/echo/a%25b/part/x', 'a%b', 'a percent sign'],
    ['/omi/echo/a+b/part/x', 'a+b', 'a plus sign'],
  ])('%s is decoded once', async (path, id) => {
    expect((await eventOf(await gatewayWith(), { path })).pathParameters).toEqual({ id, part: 'x' });
  });

  test('ends at a decoded question mark', async () => {
    const event = await eventOf(await gatewayWith(), { path: '/omi/echo/1/part/a%3Fb?c=d' });
    expect(event).toMatchObject({ rawPath: '/omi/echo/1/part/a', rawQueryString: 'c=d' });
  });

  test('cannot contain a slash', async () => {
    expect((await send(await gatewayWith(), { path: '/omi/echo/a%2Fb/part/x' })).status).toBe(404);
  });

  test('stays as it is if it is not UTF-8', async () => {
    const { pathParameters } = await eventOf(await gatewayWith(), { path: '/omi/echo/%FF/part/x' });
    expect(pathParameters).toEqual({ id: '%FF', part: 'x' });
  });

  test.each(['GET', 'PUT'])('goes to the greedy route of any method if no other fits: %s', async (method) => {
    const greedy = { method: 'ANY', path: '/omi/echo/{path+}', lambda: 'echo', caller: 'anyone' } as const;
    const url = await gatewayWith({}, { routes: [greedy, ...routes] });
    const eventAt = async (path: string) => await eventOf(url, { method, path });
    expect(await eventAt('/omi/echo/a%2Fb/part/x')).toMatchObject({
      routeKey: 'ANY /omi/echo/{path+}',
      pathParameters: { path: 'a/b/part/x' },
    });
    const [routeKey, pathParameters] =
      method === 'GET'
        ? ['GET /omi/echo/{id}/part/{part}', { id: 'a', part: 'x' }]
        : ['ANY /omi/echo/{path+}', { path: 'a/part/x' }];
    expect(await eventAt('/omi/echo/a/part/x')).toMatchObject({ routeKey, pathParameters });
  });
});

describe('the body', () => {
  const post = async (contentType: string | undefined, body: Buffer) =>
    await eventOf(await gatewayWith(), {
      method: 'POST',
      body,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    });

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/xml',
    'application/javascript',
    'text/plain',
    'text/html;charset=utf-8',
  ])('is passed as text for the type %s', async (contentType) => {
    const { body, isBase64Encoded, headers } = await post(contentType, Buffer.from('{"a":"ü"}'));
    expect({ body, isBase64Encoded }).toEqual({ body: '{"a":"ü"}', isBase64Encoded: false });
    expect(headers['content-length']).toBe('10');
  });

  test('is passed as base64 if it is not UTF-8, so that the service can refuse it', async () => {
    const { body, isBase64Encoded } = await post('application/json', Buffer.from('ü', 'latin1'));
    expect({ body, isBase64Encoded }).toEqual({ body: '/A==', isBase64Encoded: true });
  });

  test.each(['application/jose', 'application/problem+json', 'application/x-www-form-urlencoded', undefined])(
    'is passed as base64 for the type %s',
    async (contentType) => {
      const bytes = Buffer.from([0, 255, 10]);
      const { body, isBase64Encoded } = await post(contentType, bytes);
      expect({ body, isBase64Encoded }).toEqual({ body: 'AP8K', isBase64Encoded: true });
    },
  );
});
