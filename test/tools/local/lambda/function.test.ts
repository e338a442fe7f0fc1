import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LambdaFunction } from '../../../../tools/local/lambda/function.ts';

const functions: LambdaFunction[] = [];
let log: PassThrough;

beforeEach(() => {
  log = new PassThrough();
});

afterEach(async () => {
  await Promise.all(functions.splice(0).map(async (one) => await one.close()));
});

function lambda(
  name: string,
  { environment = {}, timeoutMs }: { environment?: Record<string, string>; timeoutMs?: number } = {},
) {
  const bundle = new URL(`./lambdas/${name}/index.mjs`, import.meta.url).href;
  const one = new LambdaFunction({ name, bundle, environment, log, ...(timeoutMs && { timeoutMs }) });
  functions.push(one);
  return one;
}

async function payloadOf(one: LambdaFunction, event: unknown): Promise<unknown> {
  const invocation = await one.invoke(event);
  if ('error' in invocation) throw new Error(invocation.error.errorMessage);
  return invocation.payload;
}

describe('a call', () => {
  test('gets the event and returns the result as JSON', async () => {
    const event = { date: new Date(0), absent: undefined, list: [1] };
    expect(await payloadOf(lambda('echo'), event)).toMatchObject({
      event: { date: '1970-01-01T00:00:00.000Z', list: [1] },
    });
    expect(await payloadOf(lambda('echo'), { nothing: true })).toBeNull();
  });

  test('sees only the environment of its own Lambda', async () => {
    const environment = { TABLE: 'devices' };
    expect(await payloadOf(lambda('echo', { environment }), {})).toMatchObject({ environment });
    const { environment: seen } = (await payloadOf(lambda('echo', { environment }), {})) as {
      environment: object;
    };
    expect(Object.keys(seen)).toEqual(['TABLE']);
  });

  test('has a Lambda context', async () => {
    const environment = {
      AWS_LAMBDA_FUNCTION_NAME: 'omi-local-echo',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
    };
    const payload = (await payloadOf(lambda('echo', { environment }), {})) as { remaining: number };
    expect(payload).toMatchObject({
      context: {
        functionName: 'omi-local-echo',
        functionVersion: '$LATEST',
        memoryLimitInMB: '1024',
        awsRequestId: expect.stringMatching(/^[\da-f-]{36}$/),
      },
    });
    expect(payload.remaining).toBeGreaterThan(5_000);
    expect(payload.remaining).toBeLessThanOrEqual(10_000);
  });
});

describe('a failed call', () => {
  test.each([
    ['throw', { errorType: 'RangeError', errorMessage: 'out of range' }],
    ['throw text', { errorType: 'string', errorMessage: 'text' }],
  ])('fails only itself and is logged: %s', async (way, error) => {
    const one = lambda('failing');
    expect(await one.invoke({ way })).toMatchObject({ error });
    expect(String((await log.take(1).toArray())[0])).toContain(error.errorMessage);
    expect(await payloadOf(one, {})).toBe(2);
  });

  test.each([
    ['exit', { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with exit code 3' }],
    ['uncaught', { errorType: 'SyntaxError' }],
  ])('ends the environment, and the next call gets a new one: %s', async (way, error) => {
    const one = lambda('failing');
    const [other, failed] = await Promise.all([one.invoke({ way: 'hang' }), one.invoke({ way })]);
    expect(failed).toMatchObject({ error });
    expect(other).toMatchObject({ error });
    expect(await payloadOf(one, {})).toBe(1);
  });

  test('is the result of a handler with a callback, as in Lambda with Node.js 24', async () => {
    expect(await lambda('callback').invoke({})).toMatchObject({
      error: { errorType: 'Error', errorMessage: expect.stringContaining('takes a callback') },
    });
  });

  test.each(['hang', 'busy'])(
    'is a timeout without an answer in time (%s), and the next call has a new environment',
    async (way) => {
      // Time enough for the next call, also where the one that is busy is not quite over.
      const one = lambda('failing', { timeoutMs: 4_000 });
      expect(await one.invoke({ way })).toMatchObject({
        error: {
          errorType: 'Sandbox.Timedout',
          errorMessage: expect.stringMatching(/^RequestId: .* Error: Task timed out after 4\.00 seconds$/),
        },
      });
      expect(await payloadOf(one, {})).toBe(1);
    },
  );
});

describe('a payload above 6 MB', () => {
  const mebibyteBytes = 1024 * 1024;

  test('is not passed to the function', async () => {
    expect(await lambda('echo').invoke('a'.repeat(6 * mebibyteBytes))).toMatchObject({
      error: { errorType: 'RequestEntityTooLargeException' },
    });
  });

  test("throttles the function's caller", async () => {
    const one = lambda('echo');
    expect(await payloadOf(one, { large: 6 * mebibyteBytes - 2 })).toHaveLength(6 * mebibyteBytes - 2);
    expect(await one.invoke({ large: 6 * mebibyteBytes })).toMatchObject({
      error: { errorType: 'Function.ResponseSizeTooLarge' },
    });
  });
});
