/** `Routes` of `omi` for Python, against the running service: a website's pages, its users, and those who are none. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bodyOf } from '../../../client/http.ts';
import { enrolDevice, listed, newUser, openChallenge } from '../../contract/scenario.ts';
import { hasPython, startPython } from '../../docs/tenants/programs.ts';
import { useSharedStack } from '../../support/use-stack.ts';

const stack = useSharedStack();
const its = hasPython ? test : test.skip;

type Visitor = readonly [session: string, userId: string];
type Answer = { status: number; headers: Record<string, string>; body: Record<string, unknown> };
type Outcome = { fault?: string; code?: string; status?: number; message?: string; evidence?: string };

let program: ReturnType<typeof startPython>;
let lines: AsyncIterator<string>;
beforeAll(() => {
  if (!hasPython) return;
  program = startPython('test/packages/python/routes.py');
  lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
});
afterAll(async () => {
  if (!hasPython) return;
  program.stdin.end();
  await once(program, 'close');
});

async function tell<Result = Outcome>(what: object): Promise<Result> {
  program.stdin.write(`${JSON.stringify(what)}\n`);
  return JSON.parse((await lines.next()).value as string) as Result;
}

const begin = async (options: object = {}, changes: object = {}): Promise<void> => {
  const { baseUrl, tokenUrl, tenants } = stack.file;
  const { tenantId, clientId, clientSecret } = tenants[0];
  await tell({ service: { baseUrl, tokenUrl, tenantId, clientId, clientSecret, ...changes }, options });
};
beforeEach(async () => {
  if (!hasPython) return;
  await tell({ ahead: 0 });
  await begin();
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const page = { 'Omi-Page': '1', Host: 'shop.example', 'User-Agent': firefox };

async function visit(
  session: Visitor | null,
  [method, path, body = '']: [string, string, string?],
  more: { headers?: Record<string, string>; query?: object; latin?: boolean } = {},
): Promise<Answer> {
  const { text, ...answer } = await tell<Answer & { text: string; fault?: string }>({
    ...{ method, path, body, session, ...more },
    headers: { ...page, ...more.headers },
  });
  return { ...answer, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

const useUp = async (session: Visitor | null, amount: string, id: unknown): Promise<Outcome> =>
  await tell({ session, form: { amount: [amount], 'omi-confirmation': [id] } });

/** A visitor with a device, and what the page got when it asked for a payment of 12 €. */
async function asked() {
  const phone = await enrolDevice(stack.website);
  const visitor = ['session-1', phone.identity.userId] as const;
  const { status, body } = await visit(visitor, ['POST', 'confirmations', 'amount=12']);
  expect(status).toBe(201);
  const { id } = body;
  const path = `confirmations/${String(id)}`;
  return { phone, visitor, body, id, path };
}

async function confirmed() {
  const question = await asked();
  await question.phone.confirm(await openChallenge(question.phone));
  return question;
}

describe('a page of a website in Python', () => {
  its('asks its user, learns the answer, and may act upon it once', async () => {
    const { phone, visitor, body, id, path } = await asked();
    expect(body).toMatchObject({ status: 'pending', message: 'Pay 12 € to Café Zoë?', interval: 1 });
    expect(body['deviceName']).toBe((await listed(stack.website, phone)).name);
    const challenge = await openChallenge(phone);
    expect(JSON.parse(challenge.context)).toMatchObject({ requestedFrom: { browser: 'Firefox on Linux' } });
    expect((await visit(visitor, ['GET', path])).body).toMatchObject({ status: 'pending', interval: 1 });
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'not-confirmed', status: 403 });
    await phone.confirm(challenge);
    // For a second, the service is not asked again.
    expect((await visit(visitor, ['GET', path])).body).toMatchObject({ status: 'pending' });
    await tell({ ahead: 1.5 });
    const told = await visit(visitor, ['GET', path]);
    expect(told.body).toEqual({ id, status: 'confirmed', interval: 1, expiresInMs: 0 });
    expect(await useUp(visitor, '12', id)).toMatchObject({
      message: 'Pay 12 € to Café Zoë?',
      evidence: expect.stringMatching(/^ey/),
    });
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'confirmation-unknown', status: 403 });
  });

  its('learns neither nonce nor evidence', async () => {
    const { visitor, body, path } = await confirmed();
    const answers = JSON.stringify([body, await visit(visitor, ['GET', path])]);
    expect(answers).not.toMatch(/nonce|evidence|context|challenge|eyJ/);
  });

  its('learns of a denial, which allows nothing', async () => {
    const { phone, visitor, id, path } = await asked();
    await phone.deny(await openChallenge(phone));
    expect((await visit(visitor, ['GET', path])).body).toMatchObject({
      ...{ status: 'denied', reason: 'user_declined' },
    });
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'not-confirmed', status: 403 });
  });

  its('acts upon nothing else than was confirmed, and then still upon that', async () => {
    const { visitor, id } = await confirmed();
    const mismatch = { code: 'confirmation-mismatch', status: 403 };
    expect(await useUp(visitor, '1200', id)).toEqual(mismatch);
    const twice = { amount: ['1200', '12'], 'omi-confirmation': [id] };
    expect(await tell({ session: visitor, form: twice })).toEqual(mismatch);
    const json = { amount: '12', asked: { details: [{ type: 'payment' }] } };
    expect(await tell({ session: visitor, fields: json, id })).toEqual(mismatch);
    expect(await tell({ session: visitor, fields: { amount: '12' }, id })).toHaveProperty('evidence');
  });

  its('acts upon an answer for two minutes', async () => {
    const { visitor, id } = await confirmed();
    await tell({ ahead: 123 });
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'confirmation-too-old', status: 403 });
    await tell({ ahead: 119 });
    expect(await useUp(visitor, '12', id)).toHaveProperty('evidence');
  });

  its('cannot act upon an answer of which the service does not say when it was given', async () => {
    await begin({ undated: true });
    const { visitor, id } = await confirmed();
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'confirmation-too-old', status: 403 });
  });

  its('gets nothing for a key that the website does not know', async () => {
    await begin({ known_keys: ['another'] });
    const { visitor, id, path } = await confirmed();
    expect((await visit(visitor, ['GET', path])).body).toMatchObject({
      ...{ status: 'failed', reason: 'evidence_invalid', code: 'unknown-key' },
    });
    expect(await useUp(visitor, '12', id)).toEqual({ code: 'not-confirmed', status: 403 });
  });

  its('withdraws a question, or all of its user', async () => {
    const one = await asked();
    expect((await visit(one.visitor, ['DELETE', one.path])).status).toBe(204);
    expect((await visit(one.visitor, ['DELETE', one.path])).status).toBe(204);
    expect((await visit(one.visitor, ['GET', one.path])).body).toMatchObject({ reason: 'withdrawn' });
    const all = await asked();
    expect((await visit(all.visitor, ['DELETE', 'confirmations'])).status).toBe(204);
    for (const { phone } of [one, all]) expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
    const late = await confirmed();
    expect(await visit(late.visitor, ['DELETE', late.path])).toMatchObject({
      ...{ status: 409, body: { code: 'already-decided' } },
    });
  });

  its('lets a user with several devices choose', async () => {
    const { phone, visitor } = await confirmed();
    await enrolDevice(stack.website, visitor[1]);
    const { body } = await visit(visitor, ['GET', 'devices']);
    expect(body['devices']).toHaveLength(2);
    const ask = async (query?: object) =>
      await visit(visitor, ['POST', 'confirmations', 'amount=12'], query && { query });
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'device-choice-required' } });
    expect(await ask({ device: phone.identity.deviceId })).toMatchObject({ status: 201 });
    expect(await ask({ device: '../x' })).toMatchObject({ status: 404, body: { code: 'device-not-found' } });
  });

  its('leads to the app, and learns that the device may be its own browser', async () => {
    await begin({ app_link: 'https://app.example/' });
    const phone = await enrolDevice(stack.website, newUser(), { name: 'Linux, Firefox' });
    const visitor = ['session-1', phone.identity.userId] as const;
    const ask: [string, string, string] = ['POST', 'confirmations', 'amount=12'];
    const { body: here } = await visit(visitor, ask);
    const { challengeId } = await openChallenge(phone);
    const appUrl = `https://app.example/#/challenge/${challengeId}`;
    expect(here).toMatchObject({ deviceName: 'Linux, Firefox', perhapsHere: true, appUrl });
    await visit(visitor, ['DELETE', 'confirmations']);
    const headers = { 'User-Agent': firefox.replace('X11; Linux', 'Macintosh') };
    expect((await visit(visitor, ask, { headers })).body).not.toHaveProperty('perhapsHere');
  });

  its('adds a first device, and a further one by a confirmation for that', async () => {
    const visitor = ['session-1', newUser()] as const;
    const first = await visit(visitor, ['POST', 'enrolments']);
    expect(first).toMatchObject({ status: 201, body: { account: 'Account of session-1' } });
    const path = `enrolments/${String(first.body['id'])}`;
    expect((await visit(visitor, ['GET', path])).body).toEqual({ status: 'waiting' });
    expect((await visit(['session-2', visitor[1]], ['GET', path])).status).toBe(404);
    const { visitor: owner, id: payment } = await confirmed();
    expect(
      await visit(owner, ['POST', 'enrolments', JSON.stringify({ confirmation: payment })]),
    ).toMatchObject({
      ...{ status: 403, body: { code: 'confirmation-required' } },
    });
    const blocked = await visit(['session-1', 'blocked-1'], ['POST', 'enrolments']);
    expect(blocked).toMatchObject({ status: 403, body: { code: 'branch', detail: 'Visit a branch.' } });
    const phone = await enrolDevice(stack.website);
    const adding = ['session-3', phone.identity.userId] as const;
    const headers = { 'Content-Type': 'application/json' };
    const question = JSON.stringify({ amount: '0', asked: { purpose: 'add-device' } });
    const { body } = await visit(adding, ['POST', 'confirmations', question], { headers });
    await phone.confirm(await openChallenge(phone));
    const further: [string, string, string] = [
      'POST',
      'enrolments',
      JSON.stringify({ confirmation: body['id'] }),
    ];
    expect((await visit(adding, further)).status).toBe(201);
    expect((await visit(adding, further)).body).toMatchObject({ code: 'confirmation-required' });
  });
});

describe('what a page of a website in Python may not', () => {
  its('is done by nobody, or by another session or user', async () => {
    const { visitor, id, path } = await confirmed();
    for (const other of [['session-2', visitor[1]] as const, ['session-1', newUser()] as const]) {
      expect(await visit(other, ['GET', path])).toMatchObject({ body: { code: 'confirmation-not-found' } });
      expect((await visit(other, ['DELETE', path])).status).toBe(404);
      expect(await useUp(other, '12', id)).toEqual({ code: 'confirmation-unknown', status: 403 });
    }
    expect(await visit(null, ['GET', path])).toMatchObject({ status: 401, body: { code: 'signed-out' } });
    expect(await useUp(null, '12', id)).toEqual({ code: 'signed-out', status: 401 });
    expect(await tell({ session: visitor, fields: { amount: '12' } })).toMatchObject({
      code: 'confirmation-missing',
    });
    expect(await tell({ session: visitor, fields: null })).toMatchObject({ code: 'confirmation-missing' });
    expect(await useUp(visitor, '12', '../asked')).toMatchObject({ code: 'confirmation-unknown' });
    expect(await tell({ session: ['', 'u'], fields: {} })).toEqual({ fault: 'TypeError' });
  });

  its.each<[string, Record<string, string>, object]>([
    ['is asked by a form of another site', { 'Omi-Page': '' }, {}],
    ['is asked by a sibling of the site', { 'Sec-Fetch-Site': 'same-site' }, {}],
    ['is asked by another origin', { Origin: 'https://evil.example' }, {}],
    ['is asked by a sandboxed frame', { Origin: 'null' }, {}],
    [
      'is asked by the host behind a proxy',
      { Origin: 'https://shop.example' },
      { origin: 'https://shop.org' },
    ],
  ])('%s', async (_, headers, options) => {
    await begin(options);
    expect(await visit(['s', newUser()], ['GET', 'devices'], { headers })).toMatchObject({
      ...{ status: 403, body: { code: 'cross-site-request' } },
    });
  });

  its.each<[string, Record<string, string>, object]>([
    ['a page of its own host', { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-origin' }, {}],
    ['a page that sends no referrer', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, {}],
    ['a page of the origin that is named', { Origin: 'https://shop.org' }, { origin: 'https://shop.org' }],
  ])('is not this: %s', async (_, headers, options) => {
    await begin(options);
    expect((await visit(['s', newUser()], ['GET', 'devices'], { headers })).status).toBe(200);
  });

  its.each<[string, [string, string, string?], number, string]>([
    ['a path that there is not', ['GET', 'stores'], 404, 'not-found'],
    ['an id that is none', ['GET', 'confirmations/..'], 404, 'not-found'],
    ['another method', ['PUT', 'devices'], 405, 'method-not-allowed'],
    ['a body of more than 64 KB', ['POST', 'confirmations', 'a'.repeat(65_537)], 413, 'too-large'],
    ['what the website itself denies', ['POST', 'confirmations', 'amount=too+much'], 403, 'denied'],
    ['a user without a device', ['POST', 'confirmations', 'amount=12'], 404, 'device-not-found'],
    ['an enrolment that is no JSON', ['POST', 'enrolments', '['], 400, 'invalid-request'],
  ])('is answered with its reason: %s', async (_, request, status, code) => {
    const { headers, ...answer } = await visit(['s', newUser()], request);
    expect(answer).toMatchObject({ status, body: { status, code } });
    expect(headers).toMatchObject({
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
    });
  });

  its('is another method, and the answer names the right ones', async () => {
    const { headers } = await visit(['s', newUser()], ['PUT', 'confirmations']);
    expect(headers['Allow']).toBe('POST, DELETE');
  });

  its.each(['asked', 'device-names'])(
    'leaves no question open while the store fails: %s',
    async (failing) => {
      await begin({ failing });
      const phone = await enrolDevice(stack.website);
      const visitor = ['s', phone.identity.userId] as const;
      expect(await visit(visitor, ['POST', 'confirmations', 'amount=12'])).toMatchObject({
        fault: 'OSError',
      });
      expect(bodyOf(await phone.challenges()).challenges).toEqual([]);
    },
  );

  its('is raised to the framework if only the website can mend it', async () => {
    await begin({}, { clientSecret: 'wrong' });
    expect(await visit(['s', newUser()], ['GET', 'devices'])).toEqual({ fault: 'OmiError', body: {} });
  });

  its('is sent in another encoding than UTF-8', async () => {
    const posted = await visit(['s', newUser()], ['POST', 'confirmations', 'amount=é'], { latin: true });
    expect(posted).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  its('is sent as a multipart form, as a page does with FormData', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const posted = await visit(['s', newUser()], ['POST', 'confirmations', '--x--'], { headers });
    expect(posted).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  its('is told as a refusal while the service cannot answer', async () => {
    const busy: RequestListener = (_, response) => response.writeHead(503, { 'Retry-After': '20' }).end();
    const server = createServer(busy).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await begin({}, { baseUrl, tokenUrl: baseUrl });
    const { status, headers, body } = await visit(['s', newUser()], ['GET', 'devices']);
    server.close();
    expect([status, headers['Retry-After'], body['code']]).toEqual([503, '20', 'temporarily-unavailable']);
  });
});
