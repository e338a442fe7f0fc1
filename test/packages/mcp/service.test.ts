/** How the server asks and withdraws, with a service that answers as no right one does. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { createService, type Service } from '../../../packages/mcp/src/omi/service.ts';
import type { Answer as Approval } from '../../../packages/mcp/src/omi/question.ts';
import { longestWaitMs } from '../../support/waiting.ts';

const details = [{ type: 'payment', to: 'Café Zoë', amount: '16.00', currency: 'EUR' }];
const question = { userId: 'user-1', message: 'Pay 16.00 EUR to Café Zoë?', details };

type Answer = { status: number; body: object };

let server: Server;
let issuer: string;
let started: Answer;
let granted: () => Promise<Answer>;
let withdrawals: number[];
let lastForm: Record<string, string>;
let jwks: JWK[];
const { privateKey, publicKey } = await generateKeyPair('ES256');
const otherKey = (await generateKeyPair('ES256')).privateKey;

const usual: Answer = { status: 200, body: { auth_req_id: 'request-1', expires_in: 120, interval: 0.01 } };

beforeAll(async () => {
  server = createServer((request, response) => {
    const answers: Record<string, () => Promise<Answer>> = {
      '/.well-known/openid-configuration': async () =>
        await Promise.resolve({
          status: 200,
          body: {
            issuer,
            backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
            token_endpoint: `${issuer}/oauth/token`,
            jwks_uri: `${issuer}/jwks`,
            id_token_signing_alg_values_supported: ['ES256'],
          },
        }),
      '/bc-authorize': async () => {
        lastForm = Object.fromEntries(new URLSearchParams(await text(request)));
        return started;
      },
      '/oauth/token': async () => await granted(),
      '/jwks': async () => await Promise.resolve({ status: 200, body: { keys: jwks } }),
      '/api-token': async () =>
        await Promise.resolve({ status: 200, body: { access_token: 'api', token_type: 'Bearer' } }),
      '/omi/push/confirmation?authReqId=request-1': async () =>
        await Promise.resolve({ status: withdrawals.shift() ?? 204, body: {} }),
    };
    const answer =
      answers[request.url ?? ''] ?? (async () => await Promise.resolve({ status: 404, body: {} }));
    void answer().then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const evidence = await new SignJWT({ challengeId: 'challenge-1' })
  .setProtectedHeader({ alg: 'ES256' })
  .sign(privateKey);

async function tokens(changes: object = {}, claims: object = {}, key = privateKey): Promise<Answer> {
  const idToken = await new SignJWT({
    ...{ sub: 'user-1', iss: issuer, aud: 'agent', auth_time: 1_700_000_000, omi_evidence: evidence },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key);
  const body = {
    access_token: 'the token',
    token_type: 'Bearer',
    expires_in: 600,
    id_token: idToken,
    authorization_details: details,
    ...changes,
  };
  return { status: 200, body };
}

const service = (): Service => {
  const credentials = { clientSecret: 'secret', tokenUrl: `${issuer}/api-token` };
  return createService({ client: { baseUrl: issuer, clientId: 'agent', credentials }, lifetimeSeconds: 60 });
};

async function ask(first: Answer, second: () => Promise<Answer>): Promise<Approval> {
  [started, granted, jwks] = [first, second, [{ ...(await exportJWK(publicKey)), alg: 'ES256' }]];
  const { ask: send, answer } = service();
  return await answer(await send(question), question, AbortSignal.timeout(longestWaitMs));
}

const refused = (error: string): Answer => ({
  status: error === 'temporarily_unavailable' ? 429 : 400,
  body: { error },
});

test('an approval has the decision, and apart from it the token', async () => {
  expect(await ask(usual, async () => await tokens())).toEqual({
    status: 'approved',
    token: 'the token',
    decision: {
      approvedBy: 'user-1',
      approvedAt: '2023-11-14T22:13:20.000Z',
      message: question.message,
      details,
      reference: 'challenge-1',
    },
  });
});

describe('asking for an approval', () => {
  test.each<[string, object]>([
    ['other details', { authorization_details: [{ ...details[0], to: 'Mallory' }] }],
    ['more details', { authorization_details: [...details, { type: 'payment', to: 'Mallory' }] }],
    ['no details', { authorization_details: undefined }],
    ['no ID token', { id_token: undefined }],
  ])('fails with %s in the answer', async (_, changes) => {
    expect(await ask(usual, async () => await tokens(changes))).toMatchObject({ status: 'refused' });
  });

  test('fails if another user answers', async () => {
    expect(await ask(usual, async () => await tokens({}, { sub: 'user-2' }))).toMatchObject({
      status: 'refused',
    });
  });

  test.each([
    ['the evidence', { omi_evidence: undefined }],
    ['the time', { auth_time: undefined }],
  ])('fails without %s', async (_, claims) => {
    expect(await ask(usual, async () => await tokens({}, claims))).toMatchObject({ status: 'refused' });
  });

  test('fails if another key signed the ID token', async () => {
    const answers = [await tokens({}, {}, otherKey), refused('invalid_grant')];
    expect(await ask(usual, async () => await Promise.resolve(answers.shift() ?? usual))).toMatchObject({
      status: 'unknown',
    });
  });

  test('goes on after a fault of the service', async () => {
    const answers = [{ status: 500, body: {} }, await tokens()];
    expect(await ask(usual, async () => await Promise.resolve(answers.shift() ?? usual))).toMatchObject({
      status: 'approved',
    });
  });

  test.each([
    ['access_denied', 'refused', 'Do not ask again'],
    ['expired_token', 'expired', 'in time'],
    ['invalid_grant', 'unknown', 'lost'],
    ['invalid_client', 'unavailable', 'invalid_client'],
  ])('fails after %s', async (error, status, explanation) => {
    expect(await ask(usual, async () => await Promise.resolve(refused(error)))).toEqual({
      status,
      explanation: expect.stringContaining(explanation),
    });
  });

  test.each([
    ['unknown_user_id', 'no device'],
    ['temporarily_unavailable', 'Ask later'],
    ['invalid_authorization_details', 'invalid_authorization_details'],
  ])('fails if the question is rejected with %s', async (error, explanation) => {
    await expect(ask(refused(error), async () => await tokens())).rejects.toThrow(explanation);
  });
});

describe('a withdrawal', () => {
  test.each([204, 404, 409])('is done after %i', async (status) => {
    withdrawals = [status];
    await expect(service().withdraw('request-1')).resolves.toBe(true);
  });

  test('fails after a fault of the service', async () => {
    withdrawals = [500, 500, 500, 500];
    await expect(service().withdraw('request-1')).rejects.toThrow('500');
    expect(withdrawals).toEqual([]);
  });
});

test('a client with a key proves by it who it is, and cannot withdraw', async () => {
  const keys = await generateKeyPair('ES256', { extractable: true });
  const keyFile = join(await mkdtemp(join(tmpdir(), 'omi-mcp-')), 'key.json');
  await writeFile(keyFile, JSON.stringify({ ...(await exportJWK(keys.privateKey)), kid: 'key-1' }));
  started = usual;
  const client = { baseUrl: issuer, clientId: 'agent', credentials: { keyFile } };
  const { ask: send, withdraw } = createService({ client, lifetimeSeconds: 60 });
  await send(question);
  const { client_assertion: assertion, ...form } = lastForm;
  expect(form).toMatchObject({ client_assertion_type: expect.stringContaining('jwt-bearer') });
  const { protectedHeader, payload } = await jwtVerify(assertion ?? '', keys.publicKey);
  expect([protectedHeader.kid, payload.iss, payload.aud]).toEqual(['key-1', 'agent', issuer]);
  await expect(withdraw('request-1')).resolves.toBe(false);
});
