import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConflictError } from '../../core/kernel/conflict-error.ts';
import { Refusal, type RefusalCode } from '../../core/kernel/refusal.ts';
import type { ApiEvent } from '../../core/http/api-event.ts';
import { problems } from '../../core/http/problems.ts';
import { evaluate } from '../support/metric-math.ts';
import { countedBy, filtersOf, identify, type MetricQuery, newVersion } from './own-metrics.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production');
Object.assign(process.env, environmentsOf(template).get('authorize'), {
  POWERTOOLS_DEV: 'true',
  AWS_LAMBDA_FUNCTION_VERSION: newVersion,
});
// Imported here, because they read the environment when they are loaded.
const { bodilessLambda } = await import('../../core/http/api-lambda.ts');
const { batchLambda } = await import('../../core/lambda/batch-lambda.ts');
const { logger } = await import('../../core/kernel/observability.ts');
const { createHandler } = await import('../../lambdas/authorize/handler.ts');
const { fetchDocument } = await import('../../core/access/fetch-document.ts');
const { Unauthenticated } = await import('../../core/access/unauthenticated.ts');

const lines: Record<string, unknown>[] = [];
for (const level of ['info', 'warn', 'error'] as const)
  jest.spyOn(console, level).mockImplementation((line: unknown) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>);
  });
beforeEach(() => {
  lines.length = 0;
});

const functionName = 'omi-production-some-lambda';
const context = {
  functionName,
  functionVersion: newVersion,
  awsRequestId: 'request',
  getRemainingTimeInMillis: () => 5_000,
} as Context;
type Invoke = (event: unknown, context: Context) => Promise<unknown>;

const dimensions = { stage: 'production', function: functionName, version: newVersion };
const faults = identify('Faults', dimensions);
const excused = identify('DependencyFaults', dimensions);
const filters = filtersOf(template);
const counted = (): string[] => lines.flatMap((line) => countedBy(filters, line));

const failWith = (error: unknown) => () => {
  throw error;
};

/** A Lambda of the API, one behind a stream, and the authorizer. Each fails with this error. */
const lambdas: Record<string, (error: unknown) => unknown> = {
  api: (error) => bodilessLambda(failWith(error)),
  batch: (error) => batchLambda(failWith(error)),
  authorizer: (error) =>
    createHandler({
      logger,
      tenants: { findClient: failWith(error) } as never,
      tenantClaim: undefined,
      verifyToken: failWith(error),
    }),
};

const event = {
  version: '2.0',
  routeKey: 'GET /omi/users/{userId}/devices',
  headers: { authorization: 'Bearer a.b.c' },
  requestContext: { requestId: 'request' },
};

async function run(kind: string, error: unknown): Promise<'answered' | 'threw'> {
  const invoke = lambdas[kind]?.(error) as Invoke;
  return await invoke(structuredClone(event), context).then(
    () => 'answered',
    () => 'threw',
  );
}

const ofAws = (name: string, status: number, $fault: 'client' | 'server' = 'client') =>
  new DynamoDBServiceException({ name, $fault, $metadata: { httpStatusCode: status }, message: 'of AWS' });

const ofNetwork = (code: string) => Object.assign(new Error(code), { code });

const ofVersion: [string, unknown][] = [
  ['a mistake in the code', new TypeError('x is undefined')],
  ['a missing permission', ofAws('AccessDeniedException', 400)],
  ['a missing table', ofAws('ResourceNotFoundException', 400)],
  ['a call that AWS rejects', ofAws('ValidationException', 400)],
];

const ofDependency: [string, unknown][] = [
  ['a table that throttles', ofAws('ProvisionedThroughputExceededException', 400)],
  ['an account that throttles', ofAws('ThrottlingException', 400)],
  ['an internal error of AWS', ofAws('InternalServerError', 500, 'server')],
  ['an unavailable service', ofAws('ServiceUnavailable', 503, 'server')],
  ['a slow call', Object.assign(new Error('late'), { name: 'TimeoutError' })],
  ['a broken connection', ofNetwork('ECONNRESET')],
  ['an unresolved name', ofNetwork('ENOTFOUND')],
  ['one of these as a cause', new Error('of ours', { cause: ofAws('ThrottlingException', 400) })],
  [
    'concurrent writes',
    new ConflictError('busy', {
      cause: new TransactionCanceledException({ message: '', $metadata: { httpStatusCode: 400 } }),
    }),
  ],
];

describe('the metric filters', () => {
  test.each(ofVersion)('count %s as a fault of the version in every Lambda', async (_, error) => {
    for (const kind of Object.keys(lambdas)) {
      lines.length = 0;
      await run(kind, error);
      expect([kind, counted()]).toEqual([kind, [faults]]);
    }
  });

  test.each(ofDependency)('do not count %s as a fault of the version', async (_, error) => {
    for (const kind of Object.keys(lambdas)) {
      lines.length = 0;
      const outcome = await run(kind, error);
      expect([kind, counted().includes(faults)]).toEqual([kind, false]);
      // Lambda counts thrown errors, from which these faults are subtracted.
      if (outcome === 'threw') expect([kind, counted()]).toEqual([kind, [excused]]);
    }
  });

  test.each(Object.keys(problems).filter((code) => code !== 'temporarily-unavailable'))(
    'do not count a rejected call as a fault: %s',
    async (code) => {
      expect(await run('api', new Refusal(code as RefusalCode, 'No.'))).toBe('answered');
      expect(lines.length).toBe(1);
      expect(counted()).toEqual([]);
    },
  );

  test('do not count an invalid token as a fault', async () => {
    await run('authorizer', new Unauthenticated('wrong-signature'));
    expect(lines.length).toBe(1);
    expect(counted()).toEqual([]);
  });

  test('do not count a timeout as a fault, because a slow service may be the cause', async () => {
    const slow = bodilessLambda(
      async () => await wait(60_000, undefined as never, { ref: false }),
    ) as unknown as Invoke;
    const hurried = { ...context, getRemainingTimeInMillis: () => 501 };
    expect(await slow(structuredClone(event) as unknown as ApiEvent, hurried)).toMatchObject({
      statusCode: 503,
    });
    expect(counted()).not.toContain(faults);
  });

  test('do not count a 503 of the issuer as a fault', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const error: unknown = await fetchDocument(`http://127.0.0.1:${port}/`).catch(
      (thrown: unknown) => thrown,
    );
    server.close();
    await run('authorizer', error);
    expect(counted()).toEqual([excused]);
  });
});

type Alarm = { Metrics: MetricQuery[]; Threshold: number; ComparisonOperator: string };

const releaseAlarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
  String(Properties['AlarmDescription']).startsWith('The new version of') ? [Properties as Alarm] : [],
);
/** The authorizer and the Lambdas behind streams and queues throw. Lambdas of the API answer. */
const isThrower = ({ Metrics }: Alarm): boolean => Metrics.some(({ Id }) => Id === 'excused');
const rings = ({ Metrics, Threshold }: Alarm, data: Parameters<typeof evaluate>[1]): boolean =>
  (evaluate(Metrics, data) ?? 0) > Threshold;

describe('the alarm on a new version', () => {
  test('exists for Lambdas that answer and for Lambdas that throw', () => {
    expect(new Set(releaseAlarms.map(isThrower))).toEqual(new Set([true, false]));
    for (const { ComparisonOperator } of releaseAlarms)
      expect(ComparisonOperator).toBe('GreaterThanThreshold');
  });

  test.each([
    ['while nobody calls', {}],
    ['while all calls succeed', { calls: 1_000, errors: 0 }],
    ['after one transient fault', { calls: 20, errors: 0, faults: 1 }],
    ['after one failed call of one', { calls: 1, errors: 1 }],
    ['below a minimum of calls, whatever fails', { calls: 4, errors: 4, faults: 4 }],
    ['if a tenth of the calls fail', { calls: 100, errors: 0, faults: 10 }],
  ])('does not ring %s', (_, data) => {
    for (const alarm of releaseAlarms) expect(rings(alarm, data)).toBe(false);
  });

  test.each([
    ['if every call fails at the start of the Lambda', { calls: 5, errors: 5 }],
    ['if a fifth of the calls fail by a fault of the version', { calls: 100, errors: 0, faults: 20 }],
    ['if three of five calls fail', { calls: 5, errors: 0, faults: 3 }],
  ])('rings %s', (_, data) => {
    for (const alarm of releaseAlarms) expect(rings(alarm, data)).toBe(true);
  });

  test('does not count failures of a dependency, but counts all others', () => {
    for (const alarm of releaseAlarms.filter(isThrower)) {
      expect(rings(alarm, { calls: 100, errors: 60, excused: 60 })).toBe(false);
      expect(rings(alarm, { calls: 100, errors: 80, excused: 60 })).toBe(true);
      expect(rings(alarm, { calls: 100, errors: 60, faults: 60 })).toBe(true);
    }
  });
});
