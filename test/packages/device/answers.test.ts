/** Answers of a service that is hostile, broken, or none of ours. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brand, Device, DeviceError, readContext, settings, WebCryptoKey, type Challenge } from '#device';
import { messageHashOf } from '../../../client/digests.ts';
import {
  challenge,
  context,
  foreignAnswers,
  malformedBrands,
  malformedChallenges,
  malformedIdentities,
  malformedSettings,
  otherThanShown,
} from '../support/device-cases.ts';
import { json, ScriptedService, type Reply } from '../support/scripted-service.ts';

const service = new ScriptedService();
let device: Device;

beforeAll(async () => {
  await service.start();
  const identity = { baseUrl: service.url, deviceId: 'device-1', tenantId: 'tenant-1', userId: 'user-1' };
  device = new Device({ identity, key: await WebCryptoKey.generate() });
});
afterAll(async () => {
  await service.stop();
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof DeviceError) return error.code;
      throw error;
    },
  );
}

const list = (...challenges: unknown[]): Reply => json(200, { challenges });

describe('challenges', () => {
  test.each([
    ['on', 'on'],
    ['unreachable', 'unreachable'],
    ['a state of a newer service', 'on'],
    [7, 'on'],
  ])('come with what the service says of pushes: %s', async (push, read) => {
    service.reply(json(200, { challenges: [], push }));
    await device.challenges();
    expect(device.push).toBe(read);
  });

  test('have every member that the service sends, and no others', async () => {
    const full: Challenge = {
      ...challenge,
      matchNumbers: ['12', '34', '56'],
      details: '[{"type":"payment"}]',
      detailsHash: messageHashOf('[{"type":"payment"}]'),
    };
    service.reply(list(challenge, { ...full, other: 1 }));
    await expect(device.challenges()).resolves.toEqual([challenge, full]);
  });

  test.each(Object.entries(malformedChallenges))(
    'are not shown if they are malformed: %s',
    async (_, item) => {
      service.reply(list(item));
      expect(await codeOf(device.challenges())).toBe('unexpected-answer');
      service.reply(list(item, challenge, item));
      await expect(device.challenges()).resolves.toEqual([challenge]);
    },
  );

  test('have a context, of which the device reads the known members', () => {
    const full = {
      userVerification: 'required',
      requester: { tenant: 'Bank', client: 'Web site' },
      purpose: 'remove-device',
      device: { deviceId: 'phone-2', name: 'Old phone' },
      requestedFrom: { browser: 'Firefox', place: 'Köln', ip: '192.0.2.1' },
    };
    expect(readContext(JSON.stringify({ ...full, more: 1 }))).toEqual(full);
    expect(readContext(context)).toEqual({ userVerification: 'off' });
  });

  test('cannot change a prototype', async () => {
    const text = JSON.stringify(challenge);
    const polluting = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${text.slice(1)}`;
    service.reply(json(200, `{"__proto__":{"challenges":[]},"challenges":[${polluting}]}`));
    const [found] = await device.challenges();
    expect(found).toEqual(challenge);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  test('are not taken from a prototype that another script changed', async () => {
    const polluted = { matchNumbers: ['12'], userVerification: 'off', purpose: 'add-device' };
    Object.assign(Object.prototype, polluted);
    try {
      service.reply(list(challenge));
      const [found] = await device.challenges();
      expect(Object.keys(found ?? {}).toSorted()).toEqual(Object.keys(challenge).toSorted());
    } finally {
      for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  test('are not taken from a prototype in the text', async () => {
    service.reply(json(200, `{"__proto__":{"challenges":[]}}`));
    expect(await codeOf(device.challenges())).toBe('unexpected-answer');
  });
});

describe('an answer that is not of the service', () => {
  test.each(Object.entries(foreignAnswers))('is refused: %s', async (_, reply) => {
    service.reply(reply);
    expect(await codeOf(device.challenges())).toBe('unexpected-answer');
    expect(service.requests).toHaveLength(1);
  });

  test('has no message of the package for a code that every object inherits', async () => {
    service.reply(json(400, { code: 'constructor', detail: 'x'.repeat(10_000) }));
    const error = await device.challenges().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'constructor', message: 'x'.repeat(500) });
  });

  test.each(malformedIdentities)('makes no device: %j', async (body) => {
    service.reply(json(201, body));
    const options = { key: await WebCryptoKey.generate() };
    const enrolment = Device.enrol(
      { baseUrl: service.url, code: 'c' },
      { name: 'n', platform: 'web' },
      options,
    );
    expect(await codeOf(enrolment)).toBe('unexpected-answer');
  });

  test.each(malformedSettings)('makes no settings: %j', async (body) => {
    service.reply(json(200, body));
    expect(await codeOf(settings(service.url))).toBe('unexpected-answer');
  });

  test.each(malformedBrands)('makes no brand: %j', async (body) => {
    service.reply(json(200, body));
    expect(await codeOf(brand(service.url, 'tenant'))).toBe('unexpected-answer');
  });

  test('makes a brand of its known members', async () => {
    const known = { name: 'Bank', color: '#0a7d4f', supportUrl: 'https://bank.example/help' };
    service.reply(json(200, { ...known, other: 1 }));
    expect(await brand(service.url, 'tenant')).toEqual(known);
  });
});

describe('the device', () => {
  test.each(Object.entries(otherThanShown))(
    'signs nothing if a hash does not match what was shown: %s',
    async (_, change) => {
      service.reply();
      for (const decision of ['confirm', 'deny'] as const)
        expect(await codeOf(device.answer({ ...challenge, ...change }, { decision }))).toBe(
          'message-mismatch',
        );
      expect(service.requests).toEqual([]);
    },
  );

  test('signs nothing with a key that does not sign with ES256', async () => {
    const { publicKey } = await WebCryptoKey.generate();
    const der = { publicKey, sign: async () => await Promise.resolve(new Uint8Array(71)) };
    const other = new Device({ identity: device.identity, key: der });
    service.reply();
    expect(await codeOf(other.challenges())).toBe('invalid-key');
    expect(service.requests).toEqual([]);
  });

  test('signs nothing for a subscription without keys', async () => {
    service.reply();
    for (const subscription of [
      {},
      { endpoint: 'https://push.example' },
      { endpoint: 'x', keys: { auth: 'y' } },
    ])
      expect(await codeOf(device.refreshPushToken({ subscription }))).toBe('invalid-subscription');
    expect(service.requests).toEqual([]);
  });
});
