/** How the tool of the MCP server asks, with a server that answers as no right one does. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { type Approval, connect } from '../../../docs/examples/mcp-approval/approval.ts';

const details = [{ type: 'payment', to: 'Café Zoë', amount: '16.00', currency: 'EUR' }];
const question = { userId: 'user-1', message: 'Pay 16.00 EUR to Café Zoë?', details };

type Answer = { status: number; body: object };

let server: Server;
let issuer: string;
let started: Answer;
let granted: () => Promise<Answer>;

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
            id_token_signing_alg_values_supported: ['ES256'],
          },
        }),
      '/bc-authorize': async () => await Promise.resolve(started),
      '/oauth/token': async () => await granted(),
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

async function tokens(changes: object = {}, sub = 'user-1'): Promise<Answer> {
  const { privateKey } = await generateKeyPair('ES256');
  const idToken = await new SignJWT({ sub, iss: issuer, aud: 'agent' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
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

async function ask(first: Answer, second: () => Promise<Answer>): Promise<Approval> {
  [started, granted] = [first, second];
  const asking = await connect({ issuer, clientId: 'agent', clientSecret: 'secret' });
  return await asking({ ...question, signal: AbortSignal.timeout(20_000) });
}

const refused = (error: string): Answer => ({
  status: error === 'temporarily_unavailable' ? 429 : 400,
  body: { error },
});

test('an approval gives its token', async () => {
  expect(await ask(usual, async () => await tokens())).toEqual({
    status: 'approved',
    approvalToken: 'the token',
    expiresInSeconds: 600,
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
    expect(await ask(usual, async () => await tokens({}, 'user-2'))).toMatchObject({ status: 'refused' });
  });

  test.each([
    ['access_denied', 'refused', 'Do not ask again'],
    ['expired_token', 'expired', 'in time'],
    ['invalid_grant', 'unavailable', 'invalid_grant'],
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
    expect(await ask(refused(error), async () => await tokens())).toEqual({
      status: 'unavailable',
      explanation: expect.stringContaining(explanation),
    });
  });
});
