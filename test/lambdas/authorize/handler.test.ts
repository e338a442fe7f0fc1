import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { defaultSettings, websiteCaller } from '../../../core/tenants/tenant.ts';
import {
  type Authorizer,
  claimsOf,
  coldAuthorizer,
  demo,
  listDevices,
  neighbour,
  oidc,
  tenantDatabase,
} from '../../support/authorizer.ts';
import {
  type Claims,
  secondsFromNow,
  sign,
  type SigningKey,
  signingKey,
  TestIssuer,
} from '../../support/token-issuer.ts';

let issuer: TestIssuer;
let key: SigningKey;
let database: DynamoDBDocumentClient;
let authorizer: Authorizer;
let reads: string[] = [];

beforeAll(async () => {
  [issuer, key, database] = await Promise.all([TestIssuer.start(), signingKey(), tenantDatabase()]);
  issuer.keys = [key.jwk];
  database.middlewareStack.add(
    (next, { commandName }) =>
      async (parameters) => {
        reads.push(String(commandName));
        return await next(parameters);
      },
    { step: 'initialize' },
  );
});

beforeEach(() => {
  reads = [];
  issuer.requests.length = 0;
  authorizer = coldAuthorizer(oidc(issuer.url), database);
});

afterAll(async () => await issuer.close());

const token = async (changes: Claims = {}) => await sign(key, claimsOf(issuer.url, changes));

describe('the cost of a call', () => {
  test('is one read once the keys are known', async () => {
    await authorizer.withToken(await token());
    expect([reads, issuer.requests.length]).toEqual([['GetItemCommand'], 2]);

    await authorizer.withToken(await token());
    await authorizer.withToken(await token({ scope: 'other' }));
    expect([reads, issuer.requests.length]).toEqual([
      ['GetItemCommand', 'GetItemCommand', 'GetItemCommand'],
      2,
    ]);
  });

  test('is zero without a valid token', async () => {
    await authorizer.withHeader(undefined);
    await authorizer.withToken('junk');
    await authorizer.withToken(await token({ exp: secondsFromNow(-1) }));
    await authorizer.withToken(await token({ client_id: undefined }));

    expect(reads).toEqual([]);
  });
});

describe('the context', () => {
  const handedOver = async (clientId: string): Promise<unknown> => {
    const answer = await authorizer.answerTo(await token({ client_id: clientId }));
    return 'context' in answer ? JSON.parse(JSON.stringify(answer.context)) : undefined;
  };

  test('is readable by the handlers of websites after API Gateway serialized it as JSON', async () => {
    const { tenantId, clientId } = neighbour;
    const { settings } = v.parse(websiteCaller, await handedOver(clientId));
    expect(settings).toEqual({ ...defaultSettings, maxDevices: 9 });
    expect(await handedOver(clientId)).toMatchObject({ tenantId, clientId, recovery: false });
  });

  test('omits settings with default values, which an older version may not know', async () => {
    expect(await handedOver(demo.clientId)).toHaveProperty('settings', {});
    expect(await handedOver(neighbour.clientId)).toHaveProperty('settings', { maxDevices: 9 });
  });

  test('is empty in a denial', async () => {
    expect(await authorizer.withToken(await token({ scope: 'other' }))).not.toHaveProperty('caller');
  });
});

describe('a 401 for an invalid token', () => {
  const refused = async () => [
    'junk',
    await token({ exp: secondsFromNow(-1) }),
    await token({ client_id: 'x' }),
  ];

  test("comes from the endpoint's Lambda, which gets no other context", async () => {
    const context = { unauthenticated: true };
    for (const sent of await refused())
      expect(await authorizer.answerTo(sent)).toEqual({ isAuthorized: true, context });
    expect(v.is(websiteCaller, context)).toBe(false);
  });

  test('comes from API Gateway if the stage is configured so', async () => {
    authorizer = coldAuthorizer(oidc(issuer.url, { unauthorizedBy: 'gateway' }), database);
    for (const sent of await refused())
      expect(await authorizer.answerTo(sent)).toEqual({ errorMessage: 'Unauthorized' });
  });

  test('does not affect a valid token', async () => {
    expect(await authorizer.withToken(await token())).toMatchObject({ status: 200, caller: demo });
    expect(await authorizer.withToken(await token({ scope: 'other' }))).toMatchObject({ status: 403 });
  });

  test('is not given for a fault, which is still an error and not cached', async () => {
    issuer.answers.set(TestIssuer.keySetPath, { status: 503 });
    expect(await authorizer.withToken(await token())).toEqual({ status: 500 });
    issuer.answers.clear();
  });
});

describe('a valid token behind CloudFront', () => {
  const secret = 's'.repeat(43);
  const asked = async (headers: Record<string, string>, isRequired = true) =>
    await coldAuthorizer(oidc(issuer.url), database, undefined, { secrets: [secret], isRequired }).withToken(
      await token(),
      undefined,
      headers,
    );

  test('is rejected if the request bypassed CloudFront, without reading keys or tables', async () => {
    for (const headers of [{}, { 'x-omi-edge': 'wrong' }])
      expect(await asked(headers)).toEqual({ status: 403, reason: 'bypassed-cloudfront' });
    expect([reads, issuer.requests]).toEqual([[], []]);
  });

  test('is accepted with the secret, and without it while that is allowed', async () => {
    expect(await asked({ 'x-omi-edge': secret })).toMatchObject({ status: 200 });
    expect(await asked({}, false)).toMatchObject({ status: 200 });
  });
});

describe('the line of the log', () => {
  const common = { routeKey: listDevices.routeKey, function_request_id: 'request' };

  test('names tenant and client of an authorized call', async () => {
    await authorizer.withToken(await token());

    expect(authorizer.lines).toEqual([
      expect.objectContaining({ ...common, ...demo, level: 'INFO', message: 'authorized' }),
    ]);
  });

  test('names the required scope of a forbidden call', async () => {
    await authorizer.withToken(await token({ scope: 'other' }));

    const { scope } = listDevices;
    expect(authorizer.lines).toEqual([
      expect.objectContaining({
        ...common,
        ...demo,
        level: 'WARN',
        message: 'forbidden',
        reason: 'missing-scope',
        scope,
      }),
    ]);
  });

  test('names the reason of an unauthenticated call, and nothing of the token', async () => {
    await authorizer.withToken(await token({ exp: secondsFromNow(-1) }));

    expect(authorizer.lines).toEqual([
      expect.objectContaining({ ...common, level: 'WARN', message: 'unauthenticated', reason: 'expired' }),
    ]);
    expect(authorizer.lines[0]).not.toHaveProperty('clientId');
  });

  test('names the id of an unknown client', async () => {
    await authorizer.withToken(await token({ client_id: 'stranger' }));

    expect(authorizer.lines).toEqual([
      expect.objectContaining({ message: 'unauthenticated', reason: 'unknown-client', clientId: 'stranger' }),
    ]);
  });

  test('names the error of a fault', async () => {
    issuer.answers.set(TestIssuer.keySetPath, { status: 503 });
    await authorizer.withToken(await token());
    issuer.answers.clear();

    expect(authorizer.lines).toEqual([
      expect.objectContaining({
        ...common,
        level: 'ERROR',
        message: 'fault',
        error: expect.objectContaining({ name: 'DocumentUnavailable', cause: expect.anything() }),
      }),
    ]);
  });

  test('contains neither the token nor unneeded claims', async () => {
    const secret = { email: 'ada@example.com', jti: 'c2VjcmV0LWp0aQ' };
    const tokens = [
      await token(secret),
      await token({ ...secret, scope: 'other' }),
      await token({ ...secret, exp: 1 }),
      await token({ ...secret, client_id: 'stranger' }),
      `${await token(secret)}x`,
      `${Buffer.from('{"alg":"c2VjcmV0"').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.c`,
    ];
    for (const sent of tokens) await authorizer.withToken(sent);

    const text = JSON.stringify(authorizer.lines);
    expect(authorizer.lines).toHaveLength(tokens.length);
    for (const part of tokens.flatMap((sent) => sent.split('.')).filter(({ length }) => length > 4)) {
      expect(text).not.toContain(part);
    }
    for (const claim of ['ada@example.com', 'c2VjcmV0']) expect(text).not.toContain(claim);
  });
});

describe('a failing database', () => {
  test.each([
    [500, 'InternalServerError'],
    [400, 'ProvisionedThroughputExceededException'],
    [400, 'AccessDeniedException'],
    [401, 'Unauthorized'],
  ])('causes a fault, never a denial: %d %s', async (status, type) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(
        JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Unauthorized' }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const failing = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, maxAttempts: 1 }));
    authorizer = coldAuthorizer(oidc(issuer.url), failing);

    expect(await authorizer.withToken(await token())).toEqual({ status: 500 });
    failing.destroy();
    server.close();
    server.closeAllConnections();
  });
});
