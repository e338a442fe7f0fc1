/** Answers of a service that is hostile, broken, or none of ours. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messageHashOf } from '../../../tools/client/digests.ts';
import {
  challenge,
  changed,
  context,
  foreignAnswers,
  malformedBrands,
  malformedChallenges,
  malformedIdentities,
  malformedSettings,
  otherThanShown,
} from '../support/device-cases.ts';
import { json, lost, messagesOf, problem, ScriptedService, type Reply } from '../support/scripted-service.ts';
import type { KotlinProgram } from './kotlin.ts';

const device = 'phone';
const list = (...challenges: unknown[]): Reply => json(200, { challenges });
const confirmation = { device, challenge, answer: { decision: 'confirm' } };

export function refusesHostileAnswers(program: () => KotlinProgram): void {
  const service = new ScriptedService();
  const open = async (more: object = {}): Promise<void> => {
    const identity = { baseUrl: service.url, deviceId: 'device-1', tenantId: 'tenant-1', userId: 'user-1' };
    await program().result('key', { key: 'own' });
    await program().result('open', { device, key: 'own', identity, ...more });
  };
  const challenges = async () => await program().run('challenges', { device });
  const codeOf = async (): Promise<string> => (await challenges()).error?.code ?? 'accepted';

  beforeAll(async () => await service.start());
  beforeEach(async () => await open());
  afterAll(async () => await service.stop());

  describe('challenges', () => {
    test('have every member that the service sends, and no others', async () => {
      const full = {
        ...challenge,
        account: 'Anna · …4711',
        matchNumbers: ['12', '34', '56'],
        details: '[{"type":"payment"}]',
        detailsHash: messageHashOf('[{"type":"payment"}]'),
        typedNumber: true,
        votes: { confirmed: 1, confirmedBy: ['Ben · …0815'] },
        returnTo: 'https://shop.example/back?to=1',
      };
      service.reply(list(challenge, { ...full, other: 1 }));
      expect((await challenges()).result).toEqual([challenge, full]);
    });

    const odd = {
      ...malformedChallenges,
      'a context with a member twice': changed({
        context: '{"userVerification":"off","userVerification":"off"}',
      }),
      'a way back with a line end': changed({ returnTo: 'https://shop.example/\r\nx' }),
    };
    test.each(Object.entries(odd))('are not shown if they are malformed: %s', async (_, item) => {
      service.reply(list(item));
      expect(await codeOf()).toBe('unexpected-answer');
      service.reply(list(item, challenge, item));
      expect((await challenges()).result).toEqual([challenge]);
    });

    test('have a context, of which the device reads the known members', async () => {
      const full = {
        userVerification: 'required',
        requester: { tenant: 'Bank', client: 'Web site' },
        purpose: 'remove-device',
        device: { deviceId: 'phone-2', name: 'Old phone' },
        requestedFrom: { browser: 'Firefox', place: 'Köln', ip: '192.0.2.1' },
        group: { id: 'group-1', required: 2, of: 3 },
      };
      const read = { context: JSON.stringify({ ...full, more: 1 }) };
      expect(await program().result('readContext', read)).toEqual(full);
      expect(await program().result('readContext', { context })).toEqual({ userVerification: 'off' });
    });
  });

  describe('an answer that is not of the service', () => {
    test.each(Object.entries(foreignAnswers))('is refused: %s', async (_, reply) => {
      service.reply(reply);
      expect(await codeOf()).toBe('unexpected-answer');
      expect(service.requests).toHaveLength(1);
    });

    test('has at most 500 characters of a detail that the package does not know', async () => {
      service.reply(json(400, { code: 'constructor', detail: 'x'.repeat(10_000) }));
      expect((await challenges()).error).toMatchObject({ code: 'constructor', message: 'x'.repeat(500) });
    });

    test.each(malformedIdentities)('makes no device: %j', async (body) => {
      service.reply(json(201, body));
      const description = { name: 'n', platform: 'web' };
      const given = { device: 'new', key: 'own', baseUrl: service.url, code: 'c', description };
      expect(await program().codeOf('enrol', given)).toBe('unexpected-answer');
    });

    test.each([
      ...malformedSettings.map((body) => ['settings', body] as const),
      ...malformedBrands.map((body) => ['brand', body] as const),
    ])('has no %s that is malformed: %j', async (task, body) => {
      service.reply(json(200, body));
      const given = { baseUrl: service.url, tenantId: 'tenant' };
      expect(await program().codeOf(task, given)).toBe('unexpected-answer');
    });

    test.each([
      ['brand', { name: 'Bank', color: '#0a7d4f', supportUrl: 'https://bank.example/help' }],
      ['settings', { webPush: { applicationServerKey: 'B' }, rpId: 'x', origins: ['https://x'] }],
    ])('has the known members of %s', async (task, known) => {
      service.reply(json(200, { ...known, other: 1 }));
      expect(await program().result(task, { baseUrl: service.url, tenantId: 'a/b' })).toEqual(known);
      if (task === 'brand') expect(service.requests[0]?.path).toBe('/omi/device/tenants/a%2Fb');
    });
  });

  describe('the device', () => {
    test.each(Object.entries(otherThanShown))(
      'signs nothing if a hash is not of what was shown: %s',
      async (_, change) => {
        service.reply();
        for (const decision of ['confirm', 'deny']) {
          const given = { device, challenge: { ...challenge, ...change }, answer: { decision } };
          expect(await program().codeOf('answer', given)).toBe('message-mismatch');
        }
        expect(service.requests).toEqual([]);
      },
    );

    test('signs nothing with a key that does not sign with ES256', async () => {
      await open({ signature: 'MAYCAQECAQI' });
      service.reply();
      expect(await codeOf()).toBe('invalid-key');
      expect(service.requests).toEqual([]);
    });
  });

  describe('a call', () => {
    const confirmed = json(200, { status: 'confirmed' });
    const unavailable = problem(503, 'temporarily-unavailable', {}, { 'retry-after': '0' });

    test.each([
      ['a lost answer', lost],
      ['503', unavailable],
      ['500 of a proxy', json(500, '<html>')],
      ['429', json(429, { message: 'Too Many Requests' }, { 'retry-after': '0' })],
    ])('sends the same message again after %s', async (_, failure) => {
      service.reply(failure, failure, confirmed);
      expect(await program().result('answer', confirmation)).toBe('confirmed');
      const [first, ...others] = messagesOf(service);
      expect(others).toEqual([first, first]);
    });

    test('sends the same message for the same answer after it was given up, and no other', async () => {
      service.reply(unavailable, unavailable, unavailable, unavailable);
      const { error } = await program().run('answer', confirmation);
      expect(error).toMatchObject({ code: 'temporarily-unavailable', status: 503, retryAfter: 0 });
      expect(service.requests).toHaveLength(4);
      const [first] = messagesOf(service);
      service.reply(unavailable, unavailable, unavailable, unavailable);
      await program().run('answer', { ...confirmation, answer: { decision: 'confirm', number: '13' } });
      const [second] = messagesOf(service);
      expect(second).not.toBe(first);
      service.reply(confirmed);
      await program().run('answer', { ...confirmation, answer: { decision: 'confirm', number: '13' } });
      expect(messagesOf(service)).toEqual([second]);
    });

    test('is signed anew after a refusal', async () => {
      service.reply(problem(422, 'number-required'));
      const { error } = await program().run('answer', confirmation);
      expect(error).toMatchObject({ code: 'number-required', status: 422, detail: 'Why.' });
      const [first] = messagesOf(service);
      service.reply(confirmed);
      await program().result('answer', confirmation);
      expect(messagesOf(service)).not.toContain(first);
    });

    test('leaves a long pause to the caller', async () => {
      service.reply(json(429, { message: 'Too Many Requests' }, { 'retry-after': '20' }));
      const { error } = await challenges();
      expect(error).toMatchObject({ code: 'temporarily-unavailable', status: 429, retryAfter: 20 });
      service.reply(json(503, '', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }));
      const { retryAfter = 0 } = (await challenges()).error ?? {};
      expect(retryAfter).toBeGreaterThan(20);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(service.requests).toHaveLength(1);
    });

    test.each([undefined, 'soon', 12, null])(
      'reports a wrong clock without a time: %p',
      async (serverTime) => {
        service.reply(problem(401, 'clock-skew', { serverTime }));
        expect(await codeOf()).toBe('clock-skew');
        expect(service.requests).toHaveLength(1);
      },
    );

    const issuedAt = (): number[] =>
      messagesOf(service).map((jws) => {
        const [, claims = ''] = jws.split('.');
        return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number }).iat;
      });

    test('sends a push token in the next second if another was sent in this one', async () => {
      await open({ now: 1_000_250 });
      service.reply(json(204, ''), problem(409, 'stale-request'), json(204, ''));
      for (const pushToken of ['token-number-1', 'token-number-2'])
        await program().result('refreshPushToken', { device, address: { pushToken } });
      expect(issuedAt()).toEqual([1000, 1001, 1002]);
    });

    test('reports a push token that stays older', async () => {
      service.reply(...Array.from({ length: 5 }, () => problem(409, 'stale-request')));
      const given = { device, address: { pushToken: 'token-number-1' } };
      expect(await program().codeOf('refreshPushToken', given)).toBe('stale-request');
      expect(service.requests).toHaveLength(5);
    });

    test('fetches challenges once more if its message arrived before', async () => {
      service.reply(problem(409, 'stale-request'), list());
      expect(await challenges()).toEqual({ result: [] });
      const [first, second] = messagesOf(service);
      expect(second).not.toBe(first);
      service.reply(...[1, 2].map(() => problem(409, 'stale-request')));
      expect(await codeOf()).toBe('stale-request');
    });

    test('has removed the device if its answer was lost and the device is unknown afterwards', async () => {
      service.reply(unavailable, problem(401, 'invalid-signature'));
      expect(await program().codeOf('unregister', { device })).toBe('accepted');
      service.reply(problem(401, 'invalid-signature'));
      expect(await program().codeOf('unregister', { device })).toBe('invalid-signature');
    });
  });
}
