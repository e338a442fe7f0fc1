import { describe, expect, test } from '@jest/globals';
import { startGateway } from '../../../../tools/local/gateway/gateway.ts';
import { gatewayWith, routes, send } from './gateway.ts';

const answering = async (result: unknown) => await send(await gatewayWith({ echo: () => result }));

describe('a result with a status code', () => {
  test('is forwarded with headers in lower case', async () => {
    const { status, headers, text } = await answering({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', 'X-Number': 7, 'x-true': true },
      body: '{"a":"ü"}',
    });
    expect({ status, text }).toEqual({ status: 201, text: '{"a":"ü"}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-number': '7',
      'x-true': 'true',
      'content-length': '10',
      'apigw-requestid': expect.stringMatching(/=$/),
    });
  });

  test('cannot make a browser ask for credentials, nor set its own framing', async () => {
    const { headers, text } = await answering({
      statusCode: 401,
      headers: { 'WWW-Authenticate': 'Bearer', 'Content-Length': '1', 'Transfer-Encoding': 'chunked' },
      body: 'whole',
    });
    expect(headers['x-amzn-remapped-www-authenticate']).toBe('Bearer');
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(text).toBe('whole');
  });
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['text', 'text'],
  [[1, 2], '[1,2]'],
  [null, 'null'],
])('a result without a status code is the body of a 200: %j', async (result, body) => {
  const { status, headers, text } = await answering(result);
  expect({ status, text, type: headers['content-type'] }).toEqual({
    status: 200,
    text: body,
    type: 'application/json',
  });
});

describe('a Lambda without a valid response', () => {
  test.each([
    ['an invalid status code', { statusCode: 'many' }],
    ['a status code out of range', { statusCode: 99 }],
    ['a body that is not text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is not text', { statusCode: 200, headers: { a: [] } }],
  ])('causes a 500 with %s', async (_, result) => {
    const { status, text, headers } = await answering(result);
    expect({ status, text }).toEqual({ status: 500, text: '{"message":"Internal Server Error"}' });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['apigw-requestid']).toBeDefined();
  });

  test('causes a 500 without details if the function failed', async () => {
    const url = await gatewayWith({
      echo: () => {
        throw new Error('secret');
      },
    });
    const { status, text } = await send(url);
    expect({ status, text }).toEqual({ status: 500, text: '{"message":"Internal Server Error"}' });
  });

  test("causes a 503 if the function exceeds the gateway's timeout", async () => {
    const url = await gatewayWith(
      { echo: async () => await new Promise(() => undefined) },
      { integrationTimeoutMs: 20 },
    );
    const { status, text } = await send(url);
    expect({ status, text }).toEqual({ status: 503, text: '{"message":"Service Unavailable"}' });
  });

  test('causes a 413 if the event is too large for Lambda', async () => {
    const error = { errorType: 'RequestEntityTooLargeException', errorMessage: 'too large' };
    const { url, close } = await startGateway({
      port: 0,
      routes,
      invoke: async () => await Promise.resolve({ error }),
    });
    const { status, text } = await send(url);
    await close();
    expect({ status, text }).toEqual({ status: 413, text: '{"message":"Request Entity Too Large"}' });
  });
});
