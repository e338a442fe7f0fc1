/** Answers of a service that is hostile, broken, or none of ours. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import {
  challenge,
  changed,
  context,
  foreignAnswers,
  malformedBrands,
  malformedChallenges,
  malformedIdentities,
  malformedSettings,
} from '../support/device-cases.ts';
import { json, ScriptedService, type Reply } from '../support/scripted-service.ts';
import type { KotlinProgram } from './kotlin.ts';

const device = 'phone';
const list = (...challenges: unknown[]): Reply => json(200, { challenges });

export function refusesHostileAnswers(program: () => KotlinProgram): void {
  const service = new ScriptedService();
  const open = async (): Promise<void> => {
    const identity = { baseUrl: service.url, deviceId: 'device-1', tenantId: 'tenant-1', userId: 'user-1' };
    await program().result('key', { key: 'own' });
    await program().result('open', { device, key: 'own', identity });
  };
  const challenges = async () => await program().run('challenges', { device });
  const codeOf = async (): Promise<string> => (await challenges()).error?.code ?? 'accepted';

  beforeAll(async () => await service.start());
  beforeEach(open);
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
}
