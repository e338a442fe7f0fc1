/** What the package does when an answer is lost, late, refused, or not the service's. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newNonce, Omi, OmiError } from '#website';
import { pauseBefore } from '../../../packages/http/src/retries.ts';
import { secondsOf } from '../../../packages/http/src/retry-after.ts';
import { json, lost, problem, type Reply, ScriptedService } from '../support/scripted-service.ts';
import { pending } from './support/evidence.ts';
import {
  accepted,
  callsOf,
  confirmedBy,
  errorOf,
  nothing,
  pollCall,
  published,
  question,
  sendCall,
  waiting,
  websiteOf,
  withdrawCall,
} from './support/website.ts';

const service = new ScriptedService(published);

beforeAll(async () => {
  await service.start();
});
afterAll(async () => {
  await service.stop();
});

const unavailable = problem(503, 'temporarily-unavailable', {}, { 'retry-after': '0' });
const failures: [string, Reply][] = [
  ['a lost answer', lost],
  [
    'an answer that is cut off',
    (response) => void response.writeHead(200, { 'content-length': '9' }).write('{'),
  ],
  ['503 of the service', unavailable],
  ['500 of something before the service', json(500, '<html>')],
  ['502', json(502, '')],
  ['429 of the gateway', json(429, { message: 'Too Many Requests' }, { 'retry-after': '0' })],
];

/** Also ends the connection of an answer that is cut off. */
const cutOff =
  (reply: Reply): Reply =>
  (response, request) => {
    reply(response, request);
    if (!response.writableEnded) setTimeout(() => response.destroy(), 20);
  };

describe('the same request', () => {
  test.each(failures)('is repeated after %s', async (_, failure) => {
    service.reply(cutOff(failure), cutOff(failure), accepted({ repeated: true, matchCode: '42' }));
    const { nonce, ...rest } = question;
    await expect(websiteOf(service).send(rest)).resolves.toMatchObject({ repeated: true, matchCode: '42' });
    expect(callsOf(service)).toEqual([sendCall, sendCall, sendCall]);
    const [first, ...others] = service.requests.map(({ body }) => body);
    expect(new Set(others)).toEqual(new Set([first]));
    const sent = JSON.parse(first ?? '') as { nonce: string; message: string };
    expect(sent.message).toBe(question.message);
    expect(sent.nonce).toMatch(/^[\w-]{22}$/);
    expect(sent.nonce).not.toBe(nonce);
  });

  test.each<[string, (omi: Omi) => Promise<unknown>, Reply]>([
    ['poll', async (omi) => await omi.poll('nonce-1'), waiting()],
    ['withdraw', async (omi) => await omi.withdraw('nonce-1'), nothing],
    ['withdrawAll', async (omi) => await omi.withdrawAll('user-1'), nothing],
    ['devices', async (omi) => await omi.devices('user-1'), json(200, { devices: [] })],
    ['removeDevice', async (omi) => await omi.removeDevice('user-1', 'device-1'), nothing],
    [
      'removeDevice, after which the device is unknown',
      async (omi) => await omi.removeDevice('user-1', 'device-1', { confirmation: 'nonce-1' }),
      problem(404, 'device-not-found'),
    ],
    [
      'enrol',
      async (omi) => await omi.enrol({ userId: 'user-1' }),
      json(201, { enrolmentId: 'e', qr: 'https://app/enrol#', expiresAt: '2026-05-01T12:00:00.000Z' }),
    ],
    ['enrolment', async (omi) => await omi.enrolment('e'), json(200, { status: 'waiting' })],
    ['setAccountLabel', async (omi) => await omi.setAccountLabel('user-1', 'Anna'), nothing],
  ])('is repeated by %s', async (_, call, reply) => {
    service.reply(lost, reply);
    await call(websiteOf(service));
    const [first, second] = service.requests;
    expect(second).toEqual(first);
  });

  test('is repeated after a time-out', async () => {
    // The first answer never comes. It is given up after 10 seconds.
    service.reply(() => undefined, accepted({ repeated: true }));
    await expect(websiteOf(service).send(question)).resolves.toMatchObject({ repeated: true });
    expect(callsOf(service)).toEqual([sendCall, sendCall]);
  });

  test('is repeated after the pause in Retry-After', async () => {
    service.reply(problem(503, 'temporarily-unavailable', {}, { 'retry-after': '2' }), accepted());
    const start = performance.now();
    await websiteOf(service).send(question);
    expect(performance.now() - start).toBeGreaterThan(1_990);
  });
});

describe('a unique request', () => {
  test('is not repeated if that would use a confirmation twice', async () => {
    service.reply(lost, lost);
    const error = await errorOf(websiteOf(service).enrol({ userId: 'user-1', confirmation: 'nonce-1' }));
    expect(error.code).toBe('network');
    expect(service.requests).toHaveLength(1);
  });

  test.each<[number, string, object]>([
    [400, 'invalid-request', {}],
    [404, 'device-not-found', {}],
    [409, 'confirmation-pending', { 'retry-after': '0' }],
    [409, 'device-choice-required', {}],
    [429, 'too-many-notifications', { 'retry-after': '0' }],
    [503, 'temporarily-unavailable', { 'retry-after': '11' }],
  ])('is not repeated after %i %s with %j', async (status, code, headers) => {
    service.reply(problem(status, code, {}, headers));
    const error = await errorOf(websiteOf(service).send(question));
    expect(error).toMatchObject({ status, code, hint: expect.any(String) as unknown });
    expect(service.requests).toHaveLength(1);
  });
});

test('a request is sent at most four times', async () => {
  service.reply(lost, lost, lost, lost, accepted());
  const error = await errorOf(websiteOf(service).send(question));
  expect(error).toMatchObject({
    code: 'network',
    status: undefined,
    detail: expect.stringMatching(/ECONN|UND_ERR/) as unknown,
  });
  expect(service.requests).toHaveLength(4);
});

describe('a request', () => {
  test('has what was requested, and nothing else', async () => {
    service.reply(accepted());
    await websiteOf(service).send({
      ...question,
      deviceId: 'device-1',
      details: [{ type: 'payment', amount: '1' }],
      purpose: 'remove-device',
      subjectDeviceId: 'device-2',
      requestedFrom: { browser: 'Firefox' },
      expiresIn: 60,
    });
    const [{ method, path, authorization, type, body } = {}] = service.requests;
    expect({ method, path, authorization, type }).toEqual({
      method: 'POST',
      path: '/omi/push/user/user-1/device/device-1',
      authorization: 'Bearer token-1',
      type: 'application/json',
    });
    expect(JSON.parse(body ?? '')).toEqual({
      message: question.message,
      nonce: question.nonce,
      purpose: 'remove-device',
      subjectDeviceId: 'device-2',
      requestedFrom: { browser: 'Firefox' },
      expiresIn: 60,
      authorizationDetails: [{ type: 'payment', amount: '1' }],
    });
  });

  test('keeps each id in its segment of the path', async () => {
    service.reply(json(200, { devices: [] }), nothing, waiting());
    await websiteOf(service).devices('a+b@example.org');
    await websiteOf(service).removeDevice('a:b', 'device-1', { confirmation: 'n&x=1' });
    await websiteOf(service).poll('n&x=1#');
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/omi/users/a%2Bb%40example.org/devices',
      '/omi/users/a%3Ab/devices/device-1?confirmation=n%26x%3D1',
      '/omi/push/confirmation?nonce=n%26x%3D1%23',
    ]);
  });

  test.each(['', '.', '..', '../push', 'a/b', 'a b', 'ü', 'x'.repeat(129)])(
    'is not sent for the user %j',
    async (userId) => {
      service.reply();
      const error = await errorOf(websiteOf(service).send({ ...question, userId }));
      expect(error).toMatchObject({ code: 'invalid-request', errors: [{ pointer: '#/path/userId' }] });
      expect((await errorOf(websiteOf(service).removeDevice('user-1', userId))).code).toBe('invalid-request');
      expect(service.requests).toEqual([]);
    },
  );
});

const everyCall: [string, (omi: Omi) => Promise<unknown>][] = [
  ['confirm', async (omi) => await omi.confirm(question)],
  ['send', async (omi) => await omi.send(question)],
  ['poll', async (omi) => await omi.poll('nonce-1')],
  ['wait', async (omi) => await omi.wait(question)],
  ['withdraw', async (omi) => await omi.withdraw('nonce-1')],
  ['withdrawAll', async (omi) => await omi.withdrawAll('user-1')],
  ['devices', async (omi) => await omi.devices('user-1')],
  ['removeDevice', async (omi) => await omi.removeDevice('user-1', 'device-1')],
  ['enrol', async (omi) => await omi.enrol({ userId: 'user-1' })],
  ['enrolment', async (omi) => await omi.enrolment('e')],
  ['setAccountLabel', async (omi) => await omi.setAccountLabel('user-1', null)],
];

const hostile: [string, Reply][] = [
  ['HTML', json(200, '<html>')],
  ['a text', json(200, '"text"')],
  ['null', json(200, 'null')],
  ['a list', json(200, '[[]]')],
  ['JSON of another form', json(200, { status: 7, nonce: {}, devices: 'x', interval: '1' })],
  ['members of wrong types', json(200, { ...pending(), devices: [{ deviceId: 1 }], interval: null })],
  ['an unknown status', json(200, { ...pending(), status: 'approved' })],
  ['a redirect', json(302, '', { location: 'http://127.0.0.1:1/' })],
  ['a redirect for ever', json(308, '', { location: '/' })],
  ['a success without content', (response) => void response.writeHead(299).end('{')],
  [
    'more than a megabyte',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"x":"${'x'.repeat(1_100_000)}"}`);
    },
  ],
  ['bytes that are no text', (response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x00]))],
];

describe.each(everyCall)('%s rejects with an OmiError', (_name, call) => {
  test.each(hostile)('for %s', async (_, reply) => {
    service.reply(reply);
    const error = await errorOf(call(websiteOf(service)));
    expect(error.code).toBe('unexpected-answer');
    expect(error.hint).toContain('base URL');
    expect(service.requests).toHaveLength(1);
  });
});

test.each([
  [{ ...pending(), interval: '1' }, 'interval is not a number.'],
  [{ ...pending(), status: 'approved' }, /status is not one of pending, confirmed, .*\.$/],
  [{ ...pending(), deviceKey: { kty: 'EC', crv: 'P-256', x: 'x' } }, 'deviceKey.y is not a string.'],
  [[], 'it is not an object.'],
])('an answer with a wrong member is refused with the name of that member: %#', async (body, detail) => {
  service.reply(json(200, body));
  const error = await errorOf(websiteOf(service).poll('nonce-1'));
  expect(error.detail).toMatch(detail);
});

test('a device with a wrong member is named by its place in the list', async () => {
  service.reply(json(200, { devices: [{ deviceId: 1 }] }));
  const { detail } = await errorOf(websiteOf(service).devices('user-1'));
  expect(detail).toContain('devices[0].deviceId is not a string');
});

test('a token that is a letter leaves answers and errors as they are', async () => {
  const omi = websiteOf(service, { token: async () => await Promise.resolve('e') });
  service.reply(json(200, pending()));
  expect(await omi.poll('nonce-1')).toEqual(pending());
  const told = {
    detail: 'The request has a wrong member.',
    traceId: 'bVd2Ckeexli=',
    errors: [{ pointer: '/message', detail: 'expected a text' }],
  };
  service.reply(problem(400, 'invalid-request', told));
  expect(await errorOf(omi.poll('nonce-1'))).toMatchObject({ status: 400, code: 'invalid-request', ...told });
});

test('any JSON answer gives a result of its type or an OmiError', async () => {
  const member = fc.constantFrom(...Object.keys(pending()), 'evidence', 'deviceKey');
  const broken = fc.tuple(member, fc.jsonValue()).map(([name, value]) => ({ ...pending(), [name]: value }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), broken), async (body) => {
      const fetch = async (): Promise<Response> => await Promise.resolve(Response.json(body));
      const omi = websiteOf(service, { fetch });
      const result = await omi.poll('nonce-1').catch((error: unknown) => error);
      if (result instanceof OmiError) return;
      expect(result).toEqual(body);
      expect(result).toMatchObject({ nonce: expect.any(String), interval: expect.any(Number) });
    }),
    { numRuns: 300 },
  );
});

describe('an error', () => {
  test('has the details of the service', async () => {
    const errors = [{ pointer: '/message', detail: 'Too long.' }];
    service.reply(
      problem(400, 'invalid-request', { traceId: 'trace-1', errors: [...errors, { pointer: 1 }] }),
    );
    const error = await errorOf(websiteOf(service).send(question));
    expect(error).toMatchObject({ status: 400, detail: 'Why.', traceId: 'trace-1', errors });
    expect(error.message).toBe(`invalid-request: Why. ${error.hint}`);
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [413, 'too-large'],
    [418, 'unexpected-answer'],
  ])('has a code even if the gateway answers %i', async (status, code) => {
    service.reply(json(status, { message: 'Forbidden' }), json(status, { message: 'Forbidden' }));
    expect(await errorOf(websiteOf(service).poll('n'))).toMatchObject({ status, code, detail: 'Forbidden' });
  });

  test('does not contain the token that a hostile answer returns', async () => {
    service.reply((response, { authorization = '' }) => {
      problem(403, 'forbidden', { detail: authorization, traceId: authorization })(response, {
        method: '',
        path: '',
        body: '',
      });
    });
    const error = await errorOf(websiteOf(service).poll('n'));
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('token-1');
  });

  test('has the code of its status if a newer service has one that the package does not know', async () => {
    service.reply(problem(403, 'invented-tomorrow'));
    expect(await errorOf(websiteOf(service).poll('n'))).toMatchObject({ code: 'forbidden', detail: 'Why.' });
  });

  test('does not have the token as its code', async () => {
    const omi = websiteOf(service, { token: async () => await Promise.resolve('secret-token') });
    service.reply(problem(403, 'secret-token'));
    expect(await errorOf(omi.poll('n'))).toMatchObject({ code: 'forbidden' });
  });

  test('does not contain the nonce that fetch puts into its own error', async () => {
    const fetch = async (url: unknown): Promise<Response> =>
      await Promise.reject(new TypeError(`error sending request for url (${String(url)})`));
    const nonce = newNonce();
    const omi = websiteOf(service, { fetch });
    const error = await omi.poll(nonce).catch((reason: unknown) => reason as OmiError);
    expect(error).toMatchObject({ code: 'network' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(nonce);
  });

  test('is thrown also if fetch ignores its signal', async () => {
    const fetch = async (): Promise<Response> => await new Promise(() => undefined);
    const omi = websiteOf(service, { fetch });
    await expect(omi.poll('n', { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/i);
  });
});

test('an unusable token is refused before it is sent', async () => {
  service.reply();
  const noToken: unknown = undefined;
  for (const token of [noToken as string, '', 'a b', 'a\r\nx: y']) {
    const omi = websiteOf(service, { token: async () => await Promise.resolve(token) });
    expect((await errorOf(omi.poll('n'))).code).toBe('token-refused');
  }
  expect(service.requests).toEqual([]);
});

test('a new token of the website is tried once after a 401', async () => {
  let made = 0;
  service.reply(json(401, { message: 'Unauthorized' }), waiting());
  await websiteOf(service, { token: async () => await Promise.resolve(`token-${(made += 1)}`) }).poll('n');
  expect(service.requests.map(({ authorization }) => authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ]);
});

describe('options', () => {
  const token = async (): Promise<string> => await Promise.resolve('t');
  const client = { tokenUrl: 'https://auth.example.org/token', clientId: 'c', clientSecret: 's' };

  test.each<[string, object]>([
    ['baseUrl', { baseUrl: undefined, token }],
    ['baseUrl', { baseUrl: 'api.example.org', token }],
    ['baseUrl', { baseUrl: 'http://api.example.org', token }],
    ['baseUrl', { baseUrl: 'https://user:password@api.example.org', token }],
    ['baseUrl', { baseUrl: 'ftp://api.example.org', token }],
    [
      'tokenUrl',
      { baseUrl: 'https://api.example.org', ...client, tokenUrl: 'http://auth.example.org/token' },
    ],
    ['tokenUrl', { baseUrl: 'https://api.example.org' }],
    ['clientId', { baseUrl: 'https://api.example.org', ...client, clientId: undefined }],
    ['clientSecret', { baseUrl: 'https://api.example.org', ...client, clientSecret: '' }],
  ])('are refused without a usable %s: %j', (name, options) => {
    const create = () => new Omi(options);
    expect(create).toThrow(OmiError);
    expect(create).toThrow(new RegExp(`^invalid-options: ${name} `));
  });

  test.each([
    'https://api.example.org/',
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:80',
  ])('may have the base URL %s', (baseUrl) => {
    expect(new Omi({ baseUrl, token }).baseUrl).toBe(baseUrl.replace(/\/$/, ''));
  });
});

describe('the pause before a repetition', () => {
  const repetition = fc.integer({ min: 1, max: 6 });
  const random = fc.double({ min: 0, max: 1, noNaN: true });

  test('is never shorter than Retry-After, and never longer than a person waits', () => {
    fc.assert(
      fc.property(
        repetition,
        fc.option(fc.nat(30), { nil: undefined }),
        random,
        (count, retryAfter, chance) => {
          const pause = pauseBefore(count, retryAfter, chance);
          if (count > 3 || (retryAfter ?? 0) > 10) expect(pause).toBeUndefined();
          else {
            expect(pause).toBeGreaterThanOrEqual(Math.max(300, (retryAfter ?? 0) * 1000));
            expect(pause).toBeLessThanOrEqual(12_500);
          }
        },
      ),
    );
  });

  test('is random', () => {
    expect(pauseBefore(1, undefined, 0)).not.toBe(pauseBefore(1, undefined, 0.5));
  });

  test('follows Retry-After in seconds or as a date', () => {
    const now = Date.parse('2026-05-01T12:00:00Z');
    expect(secondsOf('7')).toBe(7);
    expect(secondsOf('Fri, 01 May 2026 12:00:03 GMT', now)).toBe(3);
    expect(secondsOf('Fri, 01 May 2026 11:00:00 GMT', now)).toBe(0);
    for (const unclear of [null, '', '-1', 'soon', '9'.repeat(12)])
      expect(secondsOf(unclear, now)).toBeUndefined();
  });
});

test('confirm polls and withdraws with its own paths', async () => {
  service.reply(accepted(), confirmedBy(service));
  await expect(websiteOf(service).confirm(question)).resolves.toMatchObject({ status: 'confirmed' });
  expect(callsOf(service)).toEqual([sendCall, pollCall]);
  service.reply(nothing);
  await websiteOf(service).withdraw('n');
  expect(callsOf(service)).toEqual([withdrawCall]);
});
