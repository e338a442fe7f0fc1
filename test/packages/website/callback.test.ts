/** Callbacks, signed by the library of Standard Webhooks, and with each part tampered with. */
import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Omi, OmiError, type OmiOptions, toRequest } from '#website';
import { asked, confirmation, omiKeys } from './support/evidence.ts';

const sentAt = Date.parse('2026-05-01T12:00:00.400Z');
const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
const [secret, otherSecret] = [newSecret(), newSecret()];

const confirmed = confirmation();

function ended(overrides: object = {}): object {
  return {
    type: 'confirmation.confirmed',
    timestamp: '2026-05-01T12:00:00.000Z',
    data: { ...confirmed, nonce: undefined, ...overrides },
  };
}

const parsed = JSON.parse(JSON.stringify(ended())) as object;

type Sent = { id: string; at: number; body: string; secret: string };
const sent = { id: 'event-1', at: sentAt, body: JSON.stringify(ended()), secret };

const signatureOf = ({ id, at, body, secret: key }: Sent): string =>
  new Webhook(key).sign(id, new Date(at), body);

function requestOf(
  overrides: Partial<Sent> = {},
  headers: Record<string, string | undefined> = {},
  body?: string,
): Request {
  const all = { ...sent, ...overrides };
  const named: Record<string, string | undefined> = {
    'content-type': 'application/json',
    'webhook-id': all.id,
    'webhook-timestamp': String(Math.floor(all.at / 1000)),
    'webhook-signature': signatureOf(all),
    ...headers,
  };
  const given = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new Request('https://shop.example/callback', {
    method: 'POST',
    headers: given,
    body: body ?? all.body,
  });
}

const withKeys = { fetch: async () => await Promise.resolve(Response.json(omiKeys)) };

const websiteWith = (options: Partial<OmiOptions>): Omi =>
  new Omi({
    baseUrl: asked.baseUrl,
    token: async () => await Promise.resolve('t'),
    now: () => sentAt,
    callbackSecret: secret,
    ...options,
  });

const verify = async (request: Request, options: Partial<OmiOptions> = {}) =>
  await websiteWith(options).verifyCallback(request);

async function codeOf(request: Request, options: Partial<OmiOptions> = {}): Promise<string> {
  const error = await verify(request, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OmiError);
  return (error as OmiError).code;
}

describe('a callback of the service', () => {
  test('is accepted as the library signs it, and its evidence can be verified', async () => {
    const callback = await verify(requestOf());
    expect(callback).toEqual(parsed);
    const { data } = callback;
    if (data.status !== 'confirmed') throw new Error('It is not confirmed');
    await expect(websiteWith(withKeys).verifyEvidence(data, asked)).resolves.toMatchObject({
      decision: 'confirm',
    });
  });

  test('is also accepted by the library', () => {
    const { headers } = requestOf({ at: Date.now() });
    expect(new Webhook(secret).verify(sent.body, Object.fromEntries(headers))).toEqual(parsed);
  });

  test('is accepted with either secret during a rotation', async () => {
    for (const key of [secret, otherSecret])
      await expect(
        verify(requestOf({ secret: key }), { callbackSecret: [otherSecret, secret] }),
      ).resolves.toEqual(parsed);
  });

  test('is accepted if one of its signatures is valid', async () => {
    const [valid, other] = [signatureOf(sent), signatureOf({ ...sent, secret: otherSecret })];
    for (const list of [`${other} ${valid}`, `v1a,AAAA ${valid}`, `${valid} v2,x`])
      await expect(verify(requestOf({}, { 'webhook-signature': list }))).resolves.toEqual(parsed);
  });

  test.each([299, -299])('is accepted with a clock that differs by %i seconds', async (seconds) => {
    await expect(verify(requestOf({ at: sentAt + seconds * 1000 }))).resolves.toEqual(parsed);
  });

  test.each([300, -300])('is accepted with a clock that differs by exactly %i seconds', async (seconds) => {
    const now = Math.floor(sentAt / 1000) * 1000;
    await expect(verify(requestOf({ at: now + seconds * 1000 }), { now: () => now })).resolves.toEqual(
      parsed,
    );
  });

  test.each([secret.replace('whsec_', ''), `${secret}\n`])(
    'is accepted without the prefix of the secret, and with a line feed behind it',
    async (callbackSecret) => {
      await expect(verify(requestOf(), { callbackSecret })).resolves.toEqual(parsed);
    },
  );

  test.each<[string, (body: string) => unknown]>([
    ['is accepted behind a parser that keeps the bytes', (body) => Buffer.from(body)],
    ['is refused with the reason behind another', (body) => JSON.parse(body) as unknown],
  ])('%s', async (name, parse) => {
    const body = `${sent.body} `;
    const headers = { host: 'shop.example', ...Object.fromEntries(requestOf({ body }).headers) };
    const verifying = verify(toRequest({ method: 'POST', url: '/callback', headers, body: parse(body) }));
    if (name.startsWith('is accepted')) await expect(verifying).resolves.toEqual(parsed);
    else await expect(verifying).rejects.toThrow(/a parser has read the body/);
  });

  test("is accepted for the website's tenant", async () => {
    await expect(verify(requestOf(), { tenantId: 'tenant-1' })).resolves.toEqual(parsed);
  });

  test.each(['denied', 'expired', 'cancelled', 'failed'])('is accepted about %s', async (status) => {
    const body = JSON.stringify({ ...ended({ status }), type: `confirmation.${status}` });
    await expect(verify(requestOf({ body }))).resolves.toMatchObject({ data: { status } });
  });
});

describe('an invalid callback', () => {
  const signature = signatureOf(sent);
  const cut = signature.slice('v1,'.length);
  const otherBody = sent.body.replace('confirmed', 'cancelled');

  test.each<[string, Request]>([
    ['another id', requestOf({}, { 'webhook-id': 'event-2' })],
    ['no id', requestOf({}, { 'webhook-id': undefined })],
    ['another time', requestOf({}, { 'webhook-timestamp': String(Math.floor(sentAt / 1000) + 1) })],
    ['no time', requestOf({}, { 'webhook-timestamp': undefined })],
    ['another body', requestOf({}, {}, otherBody)],
    ['a body with white space', requestOf({}, {}, `${sent.body} `)],
    ['no body', requestOf({}, {}, '')],
    ['another secret', requestOf({ secret: otherSecret })],
    ['no signature', requestOf({}, { 'webhook-signature': undefined })],
    ['an empty signature', requestOf({}, { 'webhook-signature': 'v1,' })],
    ['a signature without its version', requestOf({}, { 'webhook-signature': cut })],
    ['another version', requestOf({}, { 'webhook-signature': `v1a,${cut}` })],
    ['a later version', requestOf({}, { 'webhook-signature': `v2,${cut}` })],
    ['a signature that is cut off', requestOf({}, { 'webhook-signature': signature.slice(0, -4) })],
    ['a signature that is longer', requestOf({}, { 'webhook-signature': `${signature}AAAA` })],
    ['a signature that is not base64', requestOf({}, { 'webhook-signature': 'v1,%%%' })],
    [
      'one bit of the signature',
      requestOf({}, { 'webhook-signature': `v1,${cut.startsWith('A') ? 'B' : 'A'}${cut.slice(1)}` }),
    ],
    ['a time 6 minutes ago', requestOf({ at: sentAt - 360_000 })],
    ['a time 6 minutes ahead', requestOf({ at: sentAt + 360_000 })],
    ['a time 301 seconds ago', requestOf({ at: sentAt - 301_000 })],
    ['invalid JSON', requestOf({ body: '<html>' })],
    ['null', requestOf({ body: 'null' })],
    ['no data', requestOf({ body: JSON.stringify({ ...ended(), data: undefined }) })],
    ['an event of another kind', requestOf({ body: JSON.stringify({ ...ended(), type: 'user.created' }) })],
    [
      'a type that is not that of its data',
      requestOf({ body: JSON.stringify({ ...ended(), type: 'confirmation.denied' }) }),
    ],
    [
      'pending',
      requestOf({ body: JSON.stringify({ ...ended({ status: 'pending' }), type: 'confirmation.pending' }) }),
    ],
    [
      'an unknown status',
      requestOf({ body: JSON.stringify({ ...ended({ status: 'ok' }), type: 'confirmation.ok' }) }),
    ],
    ['members of wrong types', requestOf({ body: JSON.stringify(ended({ deviceId: 7 })) })],
    ['no time of its own', requestOf({ body: JSON.stringify({ ...ended(), timestamp: 7 }) })],
  ])('is refused with %s', async (_, request) => {
    expect(await codeOf(request)).toBe('invalid-callback');
  });

  const usual = Math.floor(sentAt / 1000);
  test.each(['NaN', `${usual}.5`, `${usual}e0`, `0x${usual.toString(16)}`, `-${usual}`])(
    'is refused with the time %s, even if that was signed',
    async (time) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signed = createHmac('sha256', key).update(`${sent.id}.${time}.${sent.body}`).digest('base64');
      const headers = { 'webhook-timestamp': time, 'webhook-signature': `v1,${signed}` };
      expect(await codeOf(requestOf({}, headers))).toBe('invalid-callback');
    },
  );

  test.each([301, -301])('is refused with a clock that differs by %i seconds', async (seconds) => {
    const now = usual * 1000;
    expect(await codeOf(requestOf({ at: now + seconds * 1000 }), { now: () => now })).toBe(
      'invalid-callback',
    );
  });

  test('is refused with more than 256 KB, before it is read completely', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const request = new Request('https://shop.example/callback', {
      method: 'POST',
      body: endless,
      duplex: 'half',
    });
    expect(await codeOf(request)).toBe('invalid-callback');
    expect(chunks).toBeLessThan(270);
  });

  test('is refused only above 256 KB', async () => {
    const body = sent.body.padEnd(256 * 1024);
    await expect(verify(requestOf({ body }))).resolves.toMatchObject({ type: 'confirmation.confirmed' });
    expect(await codeOf(requestOf({ body: `${body} ` }))).toBe('invalid-callback');
  });

  test('is refused for another tenant', async () => {
    expect(await codeOf(requestOf(), { tenantId: 'tenant-2' })).toBe('invalid-callback');
  });

  test.each([undefined, [], '', 'whsec_', 'whsec_%%%', 'AAAAwhsec_AAAA'])(
    'is refused if the secret is %j',
    async (callbackSecret) => {
      expect(await codeOf(requestOf(), { callbackSecret })).toBe('invalid-options');
    },
  );

  test('is refused with an error that has neither the secret nor the signature', async () => {
    const error = await verify(requestOf({ secret: otherSecret })).catch(
      (reason: unknown) => reason as Error,
    );
    const text = JSON.stringify(error, Object.getOwnPropertyNames(error));
    for (const part of [secret, otherSecret, signature]) expect(text).not.toContain(part);
  });
});
