import { describe, expect, test } from '@jest/globals';
import { useSharedStack } from '../../../support/use-stack.ts';
import { TestWebsite } from './support/test-website.ts';
import type { Visitor } from './support/visitor.ts';

const stack = useSharedStack();

const calls: [method: string, path: string][] = [
  ['GET', '/omi/devices'],
  ['POST', '/omi/confirmations'],
  ['DELETE', '/omi/confirmations'],
  ['GET', '/omi/confirmations/AAAAAAAAAAAAAAAAAAAAAA'],
  ['DELETE', '/omi/confirmations/AAAAAAAAAAAAAAAAAAAAAA'],
  ['POST', '/omi/enrolments'],
  ['GET', '/omi/enrolments/AAAAAAAAAAAAAAAAAAAAAA'],
];

const refused = { status: 403, body: { code: 'cross-site-request' } };

describe.each(calls)('%s %s', (method, path) => {
  const foreign: [what: string, change: (request: Request) => void][] = [
    ['without the header of the page', ({ headers }) => headers.delete('omi-page')],
    ['with another value of that header', ({ headers }) => headers.set('omi-page', 'yes')],
    ['from another site', ({ headers }) => headers.set('sec-fetch-site', 'cross-site')],
    ['from a sibling of the site', ({ headers }) => headers.set('sec-fetch-site', 'same-site')],
    ['from the address bar', ({ headers }) => headers.set('sec-fetch-site', 'none')],
    ['from another origin', ({ headers }) => headers.set('origin', 'https://evil.example')],
    ['from a page without TLS', ({ headers }) => headers.set('origin', 'http://bank.example')],
    ['from another port', ({ headers }) => headers.set('origin', 'https://bank.example:8443')],
    [
      'from a sandboxed frame',
      ({ headers }) => {
        headers.set('origin', 'null');
        headers.set('sec-fetch-site', 'cross-site');
      },
    ],
    [
      'from an origin that no browser names',
      ({ headers }) => {
        headers.set('origin', 'null');
        headers.delete('sec-fetch-site');
      },
    ],
    ['with an origin that is none', ({ headers }) => headers.set('origin', 'http://[::')],
  ];

  test.each(foreign)('is refused %s, before anything happens', async (_, change) => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor('alice');
    const request = visitor.request(method, path);
    change(request);
    expect(await visitor.send(request)).toMatchObject(refused);
    expect(website.calls).toEqual([]);
    expect(website.stored).toEqual([]);
  });

  test('needs a session', async () => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor('alice');
    for (const session of [null, undefined]) {
      const signedOut = new TestWebsite(stack, { session: () => session });
      const answer = await signedOut.visitor('alice').send(visitor.request(method, path));
      expect(answer).toMatchObject({ status: 401, body: { code: 'signed-out' } });
      expect(signedOut.calls).toEqual([]);
    }
  });

  test('has a body of 64 KB at most', async () => {
    const website = new TestWebsite(stack);
    if (method === 'GET') return;
    const answer = await website.visitor('alice').call(method, path, { text: 'x'.repeat(64 * 1024) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } });
    expect(website.calls).toEqual([]);
  });
});

describe('a page', () => {
  test.each<[what: string, origin: string | string[]]>([
    ['one origin', 'https://www.bank.example'],
    ['several origins', ['https://app.bank.example', 'https://www.bank.example']],
  ])('has, behind a proxy, the origin that the website names: %s', async (_, origin) => {
    const visitor = new TestWebsite(stack, { origin }).visitor('alice');
    const list = async (from: string): Promise<number> =>
      (await visitor.call('GET', '/omi/devices', undefined, { origin: from })).status;
    expect(await list('https://www.bank.example')).toBe(200);
    expect(await list('https://bank.example')).toBe(403);
  });

  test('may keep its origin to itself, where the browser says that it is the same', async () => {
    const visitor = new TestWebsite(stack).visitor('alice');
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    expect((await visitor.call('GET', '/omi/devices', undefined, headers)).status).toBe(200);
  });

  test('sends neither Origin nor Sec-Fetch-Site in an old browser', async () => {
    const visitor = new TestWebsite(stack).visitor('alice');
    const request = visitor.request('GET', '/omi/devices');
    request.headers.delete('sec-fetch-site');
    expect((await visitor.send(request)).status).toBe(200);
  });

  test('cannot be a form of another site, whatever its encoding', async () => {
    const website = new TestWebsite(stack);
    const visitor = website.visitor('alice');
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
      const request = visitor.request(
        'POST',
        '/omi/confirmations',
        { amount: '2000' },
        { 'content-type': type },
      );
      request.headers.delete('omi-page');
      request.headers.delete('sec-fetch-site');
      request.headers.delete('origin');
      expect(await visitor.send(request)).toMatchObject(refused);
    }
    expect(website.calls).toEqual([]);
  });

  test('may never call from another origin (CORS)', async () => {
    const visitor = new TestWebsite(stack).visitor('alice');
    const { status, headers } = await visitor.call('OPTIONS', '/omi/confirmations', undefined, {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'omi-page',
    });
    expect(status).toBe(405);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('paths and methods', () => {
  const send = async (visitor: Visitor, method: string, path: string) => await visitor.call(method, path);

  test.each([
    '/',
    '/omi',
    '/omi/',
    '/omi/confirmation',
    '/omi/confirmations/',
    '/omi/confirmations/a/b',
    '/omi/devices/',
    '/omi/devices/a',
    '/omi/callback',
    '/omi/constructor',
    '/omi/__proto__',
    '/omi/toString/a',
    '/other/devices',
    '/omidevices',
  ])('%s is unknown', async (path) => {
    const visitor = new TestWebsite(stack).visitor('alice');
    expect(await send(visitor, 'GET', path)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });

  test.each([
    ['POST', '/omi/devices', 'GET'],
    ['HEAD', '/omi/devices', 'GET'],
    ['GET', '/omi/confirmations', 'POST, DELETE'],
    ['PUT', '/omi/confirmations/AAAAAAAAAAAAAAAAAAAAAA', 'GET, DELETE'],
    ['POST', '/omi/confirmations/AAAAAAAAAAAAAAAAAAAAAA', 'GET, DELETE'],
    ['GET', '/omi/enrolments', 'POST'],
    ['DELETE', '/omi/enrolments/AAAAAAAAAAAAAAAAAAAAAA', 'GET'],
    ['constructor', '/omi/devices', 'GET'],
  ])('%s %s is answered with the allowed methods', async (method, path, allow) => {
    const visitor = new TestWebsite(stack).visitor('alice');
    const { status, body, headers } = await send(visitor, method, path);
    expect({ status, body }).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
    expect(headers.get('allow')).toBe(allow);
  });

  test.each(['/', '', '/a/b', '/a/b/'])('may begin with the path %j of the website', async (path) => {
    const visitor = new TestWebsite(stack, { path }).visitor('alice');
    expect((await visitor.call('GET', `${path.replace(/\/$/, '')}/devices`)).status).toBe(200);
    expect((await visitor.call('GET', '/omi/devices')).status).toBe(404);
  });

  test('every answer is JSON that is not cached', async () => {
    const visitor = new TestWebsite(stack).visitor('alice');
    for (const [path, type] of [
      ['/omi/devices', 'application/json'],
      ['/omi/nothing', 'application/problem+json'],
    ] as const) {
      const { headers } = await visitor.call('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).toBe(type);
    }
  });
});
