/** One access token for all callers, with the scopes that are used, and nothing of it in errors. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Omi } from '#website';
import { json, lost, type Reply, ScriptedService } from '../support/scripted-service.ts';
import {
  callsOf,
  credentialsOf,
  errorOf,
  pollCall,
  question,
  tokenCall,
  waiting,
} from './support/website.ts';

const callTime = Date.parse('2026-05-01T12:00:00Z');
const [POST, GET, LIST] = [
  'credential:omi:push-notification:post',
  'credential:omi:push-notification:status:get',
  'credential:omi:devices:get',
];
const service = new ScriptedService();
let now = callTime;
let omi: Omi;

beforeAll(async () => {
  await service.start();
});
beforeEach(() => {
  now = callTime;
  omi = new Omi({ ...credentialsOf(service), now: () => now });
});
afterAll(async () => {
  await service.stop();
});

const granted = (token: string, expires_in = 3600): Reply =>
  json(200, { access_token: token, token_type: 'Bearer', expires_in });
const invalidScope = json(400, { error: 'invalid_scope' });
const unauthorized = json(401, { message: 'Unauthorized' });
const devices = json(200, { devices: [] });

const tokenRequests = () => service.requests.filter(({ path }) => path === '/token');
const scopesAsked = () => tokenRequests().map(({ body }) => new URLSearchParams(body).get('scope'));
const tokensUsed = () =>
  service.requests.filter(({ path }) => path !== '/token').map(({ authorization }) => authorization);

test('the client authenticates by Basic, form-encoded, for the scope of the call', async () => {
  service.reply(granted('t1'), waiting());
  await omi.poll('n');
  const [{ method, authorization, type, body } = {}] = service.requests;
  expect({ method, type }).toEqual({ method: 'POST', type: 'application/x-www-form-urlencoded' });
  const pair = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64').toString();
  expect(pair.split(':').map(decodeURIComponent)).toEqual(['client 1', 'secret:äß']);
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    grant_type: 'client_credentials',
    scope: GET,
  });
  expect(tokensUsed()).toEqual(['Bearer t1']);
});

describe('one token', () => {
  test('serves all concurrent callers', async () => {
    service.reply(granted('t1'), ...Array.from({ length: 20 }, () => waiting()));
    await Promise.all(Array.from({ length: 20 }, async () => await omi.poll('n')));
    expect(tokenRequests()).toHaveLength(1);
    expect(new Set(tokensUsed())).toEqual(new Set(['Bearer t1']));
  });

  test('serves until a minute before its end, then is renewed once', async () => {
    service.reply(granted('t1'), waiting(), waiting());
    await omi.poll('n');
    now += 3_539_999;
    await omi.poll('n');
    expect(callsOf(service)).toEqual([tokenCall, pollCall, pollCall]);
    now += 1;
    service.reply(granted('t2'), ...Array.from({ length: 5 }, () => waiting()));
    await Promise.all(Array.from({ length: 5 }, async () => await omi.poll('n')));
    expect(tokenRequests()).toHaveLength(1);
    expect(new Set(tokensUsed())).toEqual(new Set(['Bearer t2']));
  });

  test.each([
    ['60 s', 60, 30_000],
    ['an unknown time', undefined, 240_000],
    ['no valid time', -5, 240_000],
  ])('is not renewed for each call if it lasts %s', async (_, seconds, serves) => {
    const answer = { access_token: 't1', ...(seconds !== undefined && { expires_in: seconds }) };
    service.reply(json(200, answer), waiting(), waiting(), granted('t2'), waiting());
    await omi.poll('n');
    now += serves - 1;
    await omi.poll('n');
    now += 1;
    await omi.poll('n');
    expect(tokensUsed()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  test('is renewed once after a 401, for all callers', async () => {
    service.reply(granted('t1'), waiting());
    await omi.poll('n');
    const valid: Reply = (response, request) =>
      (request.authorization === 'Bearer t2' ? waiting() : unauthorized)(response, request);
    const either: Reply = (response, request) =>
      (request.path === '/token' ? granted('t2') : valid)(response, request);
    service.reply(...Array.from({ length: 20 }, () => either));
    await Promise.all(Array.from({ length: 5 }, async () => await omi.poll('n')));
    expect(tokenRequests()).toHaveLength(1);
    expect(tokensUsed()).toEqual([
      ...Array.from({ length: 5 }, () => 'Bearer t1'),
      ...Array.from({ length: 5 }, () => 'Bearer t2'),
    ]);
  });

  test('is not renewed again if the new one is refused, too', async () => {
    service.reply(granted('t1'), unauthorized, granted('t2'), unauthorized, granted('t3'), waiting());
    expect(await errorOf(omi.poll('n'))).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(callsOf(service)).toEqual([tokenCall, pollCall, tokenCall, pollCall]);
  });

  test('serves until its end while the issuer cannot be reached', async () => {
    service.reply(granted('t1'), waiting());
    await omi.poll('n');
    now += 3_545_000;
    service.reply(lost, waiting(), waiting());
    await omi.poll('n');
    await omi.poll('n');
    expect(callsOf(service)).toEqual([tokenCall, pollCall, pollCall]);
    now += 10_000;
    service.reply(lost, waiting());
    await omi.poll('n');
    now += 45_000;
    service.reply(lost, lost, lost, lost);
    expect((await errorOf(omi.poll('n'))).code).toBe('network');
    expect(callsOf(service)).toEqual([tokenCall, tokenCall, tokenCall, tokenCall]);
  });

  test('no longer serves after the service refused it, even while the issuer cannot be reached', async () => {
    service.reply(granted('t1'), unauthorized, lost, granted('t2'), waiting());
    await omi.poll('n');
    expect(tokensUsed()).toEqual(['Bearer t1', 'Bearer t2']);
  });
});

describe('scopes', () => {
  test('are requested as they are used', async () => {
    service.reply(granted('t1'), waiting(), granted('t2'), devices, waiting());
    await omi.poll('n');
    await omi.devices('u');
    await omi.poll('n');
    expect(scopesAsked()).toEqual([GET, `${GET} ${LIST}`]);
    expect(tokensUsed()).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2']);
  });

  test('are requested one after the other for concurrent calls, and kept', async () => {
    service.reply(granted('t1'), granted('t2'), waiting(), devices);
    await Promise.all(
      [omi.poll('n'), omi.devices('u')].map(async (call) => await call.catch(() => undefined)),
    );
    expect(scopesAsked().toSorted()).toEqual([GET, `${GET} ${LIST}`]);
  });

  test('stay usable when one is requested that the client may not have', async () => {
    service.reply(granted('t1'), waiting());
    await omi.poll('n');
    // With all scopes, then with the one alone; each also by its name in Cognito.
    service.reply(invalidScope, invalidScope, invalidScope, invalidScope, waiting());
    expect(await errorOf(omi.devices('u'))).toMatchObject({
      code: 'token-refused',
      status: 400,
      detail: expect.stringContaining('invalid_scope') as unknown,
    });
    await omi.poll('n');
    expect(tokensUsed()).toEqual(['Bearer t1']);
    expect(scopesAsked()).toEqual([`${GET} ${LIST}`, `omi/${GET} omi/${LIST}`, LIST, `omi/${LIST}`]);
  });

  test('stay usable when another was revoked from the client', async () => {
    service.reply(granted('t1'), waiting(), granted('t2'), devices);
    await omi.poll('n');
    await omi.devices('u');
    now += 3_600_000;
    service.reply(invalidScope, invalidScope, granted('t3'), waiting());
    await omi.poll('n');
    expect(scopesAsked().at(-1)).toBe(GET);
    expect(tokensUsed()).toEqual(['Bearer t3']);
  });

  test('have their prefix in Cognito, which is detected once', async () => {
    service.reply(invalidScope, granted('t1'), waiting(), granted('t2'), devices);
    await omi.poll('n');
    await omi.devices('u');
    expect(scopesAsked()).toEqual([GET, `omi/${GET}`, `omi/${GET} omi/${LIST}`]);
  });

  test('include those of the calls that confirm makes', async () => {
    service.reply(granted('t1'), json(404, { code: 'device-not-found' }));
    await errorOf(omi.confirm(question));
    expect(scopesAsked()).toEqual([POST]);
  });
});

describe('a refused token request', () => {
  const [id, secret] = ['client 1', 'secret:äß'];

  test('is reported, and is not repeated', async () => {
    service.reply(json(401, { error: 'invalid_client' }));
    const error = await errorOf(omi.poll('n'));
    expect(error).toMatchObject({ code: 'token-refused', status: 401 });
    expect(error.detail).toContain('invalid_client');
    expect(error.hint).toContain('client secret');
    expect(service.requests).toHaveLength(1);
  });

  test('fails all its callers at once, and none of them forever', async () => {
    service.reply(json(401, { error: 'invalid_client' }));
    const errors = await Promise.all(Array.from({ length: 5 }, async () => await errorOf(omi.poll('n'))));
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['token-refused']));
    expect(service.requests).toHaveLength(1);
    service.reply(granted('t1'), waiting());
    await expect(omi.poll('n')).resolves.toMatchObject({ status: 'pending' });
  });

  test('has no secret in its error, whatever the issuer returns', async () => {
    const echo: Reply = (response, { authorization = '', body }) =>
      json(400, {
        error: `${authorization} ${secret}`,
        error_description: `${authorization} ${body} ${secret}`,
      })(response, { method: '', path: '', body: '' });
    service.reply(echo);
    const error = await errorOf(omi.poll('n'));
    const text = JSON.stringify([error, error.message, error.stack, error.cause]);
    for (const part of [secret, encodeURIComponent(secret), 'Basic', id]) expect(text).not.toContain(part);
  });

  test.each<[string, Reply]>([
    ['HTML', json(200, '<html>')],
    ['null', json(200, 'null')],
    ['no token', json(200, { token_type: 'Bearer' })],
    ['a token that is not a string', json(200, { access_token: 7 })],
    ['a token with a line end', json(200, { access_token: 'a\r\nx-other: 1' })],
    ['a redirect', json(302, '', { location: 'http://127.0.0.1:1/' })],
  ])('is an OmiError for %s', async (_, reply) => {
    service.reply(reply);
    expect((await errorOf(omi.poll('n'))).code).toBe('token-refused');
    expect(service.requests).toHaveLength(1);
  });

  test.each<[string, Reply]>([
    ['a lost answer', lost],
    ['503', json(503, '', { 'retry-after': '0' })],
    ['429', json(429, '', { 'retry-after': '0' })],
  ])('is repeated after %s', async (_, reply) => {
    service.reply(reply, granted('t1'), waiting());
    await omi.poll('n');
    expect(callsOf(service)).toEqual([tokenCall, tokenCall, pollCall]);
  });

  test('is repeated even for a call that is made once', async () => {
    service.reply(lost, granted('t1'), lost);
    const error = await errorOf(omi.enrol({ userId: 'u', confirmation: 'n' }));
    expect(error.code).toBe('network');
    expect(callsOf(service)).toEqual([tokenCall, tokenCall, 'POST /omi/enrol/qr']);
  });
});

test('console.log of the object shows no secret', async () => {
  const { inspect } = await import('node:util');
  expect(inspect(omi, { depth: 9, showHidden: true })).not.toContain('secret');
});
