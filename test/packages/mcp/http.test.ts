/** `@omi/mcp` over HTTP: one process for many users, whom access tokens of another server name. */
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { enrolDevice } from '../../contract/scenario.ts';
import { secondsFromNow, signingKey, type SigningKey, TestIssuer } from '../../support/token-issuer.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { HttpServer } from './support/http-server.ts';
import { type McpHost, settled } from './support/mcp-host.ts';
import { environmentOf, goneFrom, newState, shownOn } from './support/phones.ts';

const stack = useSharedStack();
let issuer: TestIssuer;
let key: SigningKey;
let server: HttpServer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
  key = await signingKey();
  issuer.keys = [key.jwk];
  server = await HttpServer.start({ issuer, key, env: environmentOf(stack), state: await newState() });
});
afterAll(async () => {
  await server.end();
  await issuer.close();
});

const question = { action: 'Delete the folder reports', reason: 'You asked me to tidy up.' };

/** Does something as each of two users. */
async function withUsers(work: (anna: User, bert: User) => Promise<void>): Promise<void> {
  const users = await Promise.all([newUser(), newUser()]);
  try {
    await work(...users);
  } finally {
    await Promise.all(users.map(async ({ host }) => await host.stop()));
  }
}

type User = { phone: SimulatedDevice; host: McpHost };

async function newUser(): Promise<User> {
  const phone = await enrolDevice(stack.website);
  return { phone, host: await server.hostOf(phone.identity.userId) };
}

describe('two users', () => {
  test('are asked on their own phones, and get their own decisions', async () => {
    await withUsers(async (anna, bert) => {
      const asking = [anna, bert].map(async ({ host }) => await host.call('request_approval', question));
      await anna.phone.confirm(await shownOn(anna.phone));
      await bert.phone.deny(await shownOn(bert.phone));
      const [ofAnna, ofBert] = await Promise.all(asking);
      const { userId } = anna.phone.identity;
      expect(ofAnna?.structured).toMatchObject({ status: 'approved', approvedBy: userId });
      expect(ofBert?.structured).toMatchObject({ status: 'refused' });
      for (const told of [ofAnna?.text, ofBert?.text, server.stderr]) expect(told).not.toMatch(/eyJ/);
    });
  });

  test('neither see nor cancel nor get the task of the other', async () => {
    await withUsers(async (anna, bert) => {
      const execution = await anna.host.begin('request_approval', question);
      const { taskId } = execution.handle;
      const shown = await shownOn(anna.phone);
      const foreign = bert.host.tasks.task(taskId);
      await expect(foreign.snapshot()).rejects.toThrow('not found');
      await expect(foreign.cancel()).rejects.toThrow('not found');
      await expect(foreign.result()).rejects.toThrow('not found');
      expect((await bert.host.tasks.listTasks()).tasks).toEqual([]);
      await anna.phone.confirm(shown);
      expect((await settled(execution)).structured).toMatchObject({ status: 'approved' });
      await expect(foreign.result()).rejects.toThrow('not found');
    });
  });

  test('have sessions of their own, which a token of the other cannot use', async () => {
    const [anna, bert] = [await server.tokenOf('anna'), await server.tokenOf('bert')];
    const opened = await server.post({ authorization: `Bearer ${anna}` });
    await opened.body?.cancel();
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    const statusFor = async (token: string): Promise<number> => {
      const { status, body } = await server.post({ authorization: `Bearer ${token}`, ...session }, list);
      await body?.cancel();
      return status;
    };
    expect([await statusFor(anna), await statusFor(bert)]).toEqual([200, 404]);
  });
});

describe('over HTTP', () => {
  let user: User;
  beforeEach(async () => {
    user = await newUser();
  });

  test('a call that is cancelled withdraws the question', async () => {
    const cancelled = new AbortController();
    const failed = expect(user.host.call('request_approval', question, cancelled.signal)).rejects.toThrow();
    await shownOn(user.phone);
    cancelled.abort();
    await failed;
    await goneFrom(user.phone);
    await user.host.stop();
  });

  test('a task that is cancelled withdraws the question', async () => {
    const execution = await user.host.begin('request_approval', question);
    await shownOn(user.phone);
    await execution.cancel();
    await goneFrom(user.phone);
    await user.host.stop();
  });

  test('a task survives that server and client are killed and start again', async () => {
    const execution = await user.host.begin('request_approval', question);
    const reference = execution.serializeReference();
    const shown = await shownOn(user.phone);
    await server.end('SIGKILL');
    await user.host.stop();
    await server.start();
    const host = await server.hostOf(user.phone.identity.userId);
    const resumed = await host.tasks.resumeTask(reference);
    await user.phone.confirm(shown);
    expect((await settled(resumed)).structured).toMatchObject({ status: 'approved' });
    await host.stop();
  });
});

describe('the resource server', () => {
  const { pathname } = new URL('http://omi.example/mcp');

  test.each(['/.well-known/oauth-protected-resource', `/.well-known/oauth-protected-resource${pathname}`])(
    'describes itself at %s',
    async (path) => {
      const response = await fetch(new URL(path, server.url));
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          resource: server.url,
          authorization_servers: [issuer.url],
          bearer_methods_supported: ['header'],
          resource_name: 'Human approval',
        },
      ]);
    },
  );

  const challenge = () =>
    `Bearer resource_metadata="${new URL('/.well-known/oauth-protected-resource/mcp', server.url).href}"`;

  test.each([{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }])(
    'tells a request with %j where to get a token',
    async (headers) => {
      const { status, headers: answered } = await server.post(headers);
      expect([status, answered.get('www-authenticate')]).toEqual([401, challenge()]);
    },
  );

  test.each<[string, () => Promise<string>]>([
    ['for another server', async () => await server.tokenOf('anna', { aud: 'https://other.example/mcp' })],
    ['without an audience', async () => await server.tokenOf('anna', { aud: undefined })],
    ['of another issuer', async () => await server.tokenOf('anna', { iss: 'https://other.example' })],
    ['that has expired', async () => await server.tokenOf('anna', { exp: secondsFromNow(-60) })],
    ['that never expires', async () => await server.tokenOf('anna', { exp: undefined })],
    ['that is not valid yet', async () => await server.tokenOf('anna', { nbf: secondsFromNow(600) })],
    ['without a user', async () => await server.tokenOf('anna', { sub: undefined })],
    ['of an empty user', async () => await server.tokenOf('')],
    ['by another key', async () => await server.tokenOf('anna', {}, await signingKey('ES256', key.jwk.kid))],
    ['that is no JWT', async () => await Promise.resolve('anna')],
  ])('refuses a token %s', async (_, token) => {
    const { status, headers } = await server.post({ authorization: `Bearer ${await token()}` });
    expect([status, headers.get('www-authenticate')]).toEqual([401, `${challenge()}, error="invalid_token"`]);
  });

  test('refuses a token whose signature the public key itself would make', async () => {
    const [, payload = ''] = (await server.tokenOf('anna')).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    expect((await server.post({ authorization: `Bearer ${header}.${payload}.` })).status).toBe(401);
  });

  test('asks for a token before it reads a session', async () => {
    expect((await server.post({ 'mcp-session-id': 'any' }, {})).status).toBe(401);
  });

  test('answers 404 for a session that it does not know, so that the client begins a new one', async () => {
    const authorization = `Bearer ${await server.tokenOf('anna')}`;
    expect((await server.post({ authorization, 'mcp-session-id': 'any' }, {})).status).toBe(404);
    expect((await server.post({ authorization }, {})).status).toBe(400);
  });

  test('says nothing of itself about a body that is not JSON', async () => {
    const authorization = `Bearer ${await server.tokenOf('anna')}`;
    const response = await server.post({ authorization }, '{"secret": ');
    expect(response.status).toBe(400);
    expect(await response.text()).not.toMatch(/secret|at .*\.js/);
    expect(server.stderr).not.toContain('secret');
  });
});

test('while the keys cannot be read, a token is neither accepted nor refused', async () => {
  const other = await TestIssuer.start();
  other.keys = [key.jwk];
  other.answers.set(TestIssuer.keySetPath, { status: 503 });
  const without = await HttpServer.start({
    ...{ issuer: other, key, env: environmentOf(stack), state: await newState() },
  });
  try {
    const authorization = `Bearer ${await without.tokenOf('anna')}`;
    expect((await without.post({ authorization })).status).toBe(503);
    other.answers.clear();
    const later = await without.post({ authorization });
    await later.body?.cancel();
    expect(later.status).toBe(200);
  } finally {
    await without.end();
    await other.close();
  }
});

describe('a page of somebody else (DNS rebinding)', () => {
  /** `fetch` does not let a caller choose these headers. */
  const statusWith = async (headers: Record<string, string>): Promise<number | undefined> => {
    const token = await server.tokenOf('anna');
    return await new Promise((resolve, reject) => {
      const sent = request(
        server.url,
        { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject).end();
    });
  };

  test('is refused by its host name', async () => {
    expect(await statusWith({ host: 'rebound.example' })).toBe(403);
  });

  test('is refused by its origin', async () => {
    expect(await statusWith({ origin: 'https://rebound.example' })).toBe(403);
    expect(await statusWith({ origin: new URL(server.url).origin })).not.toBe(403);
  });
});
