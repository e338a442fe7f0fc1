/** Answers of a service that is hostile, broken, or none of ours. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brand, Device, DeviceError, readContext, settings, WebCryptoKey, type Challenge } from '#device';
import { messageHashOf } from '../../../tools/client/digests.ts';
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

const context = '{"userVerification":"off"}';
const challenge: Challenge = {
  challengeId: 'challenge-1',
  tenant: 'Bank',
  message: 'Pay 12.50 €?',
  messageHash: messageHashOf('Pay 12.50 €?'),
  context,
  contextHash: messageHashOf(context),
  createdAt: '2026-05-01T12:00:00.000Z',
  expiresAt: '2026-05-01T12:02:00.000Z',
  expiresInMs: 120_000,
};

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

  const changed = (change: object): unknown => ({ ...challenge, ...change });
  const withContext = (members: object): unknown =>
    changed({ context: JSON.stringify({ userVerification: 'off', ...members }) });
  const odd: Record<string, unknown> = {
    null: null,
    'a number': 7,
    'a list': [],
    'no message': changed({ message: undefined }),
    'a message that is no text': changed({ message: { toString: 'x' } }),
    'no hash': changed({ messageHash: '' }),
    'an id that leads elsewhere': changed({ challengeId: '..' }),
    'an id with a slash': changed({ challengeId: 'a/b' }),
    'a time without end': changed({ expiresInMs: '∞' }),
    'numbers that are none': changed({ matchNumbers: ['<b>12</b>'] }),
    'numbers in no list': changed({ matchNumbers: { 0: '12', length: 1 } }),
    'no context': changed({ context: undefined }),
    'a context that is not JSON': changed({ context: '{' }),
    'a context without a mode of verification': changed({ context: '{}' }),
    'a requester without a name': withContext({ requester: {} }),
    'a device without a name': withContext({ device: { deviceId: 'phone' } }),
    'an unknown mode of verification': withContext({ userVerification: 'sometimes' }),
  };
  test.each(Object.entries(odd))('are not shown if they are malformed: %s', async (_, item) => {
    service.reply(list(item));
    expect(await codeOf(device.challenges())).toBe('unexpected-answer');
  });

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
  const deep = '['.repeat(200_000);
  const page = '<!doctype html><title>Sign in to the hotel</title>';
  const others: Record<string, Reply> = {
    'a page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    'a page of an error': (response) => void response.writeHead(403).end(page),
    nothing: json(200, ''),
    'a redirect': json(302, '', { location: 'https://evil.example/' }),
    'nested without end': json(200, deep),
    'half of it': json(200, '{"challenges":['),
    'a list': json(200, []),
    null: json(200, 'null'),
    'a code that is no word': json(400, { code: '<script>alert(1)</script>' }),
    'a code that is a member of every object': json(400, { code: ['constructor'] }),
    'larger than any': json(200, JSON.stringify({ challenges: [], filler: 'x'.repeat(2 * 1024 * 1024) })),
  };
  test.each(Object.entries(others))('is refused: %s', async (_, reply) => {
    service.reply(reply);
    expect(await codeOf(device.challenges())).toBe('unexpected-answer');
    expect(service.requests).toHaveLength(1);
  });

  test('is not read without limit', async () => {
    let sent = 0;
    const endless: Reply = (response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once('drain', write);
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      write();
    };
    service.reply(endless);
    expect(await codeOf(device.challenges())).toBe('unexpected-answer');
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('has no message of the package for a code that every object inherits', async () => {
    service.reply(json(400, { code: 'constructor', detail: 'x'.repeat(10_000) }));
    const error = await device.challenges().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'constructor', message: 'x'.repeat(500) });
  });

  test.each([
    {},
    { deviceId: 'd', tenantId: 't' },
    { deviceId: '', tenantId: 't', userId: 'u', tenant: 'Bank' },
    { deviceId: 'd', tenantId: 't', userId: 'u' },
    { deviceId: 'd', tenantId: 't', userId: 'u', tenant: 'Bank', account: 7 },
    { deviceId: 1 },
  ])('makes no device: %j', async (body) => {
    service.reply(json(201, body));
    const options = { key: await WebCryptoKey.generate() };
    const enrolment = Device.enrol(
      { baseUrl: service.url, code: 'c' },
      { name: 'n', platform: 'web' },
      options,
    );
    expect(await codeOf(enrolment)).toBe('unexpected-answer');
  });

  test.each([
    {},
    { webPush: {}, rpId: 'x', origins: [] },
    { webPush: { applicationServerKey: 'B' }, rpId: 'x', origins: 'y' },
  ])('makes no settings: %j', async (body) => {
    service.reply(json(200, body));
    expect(await codeOf(settings(service.url))).toBe('unexpected-answer');
  });

  test.each([
    {},
    { name: '' },
    { name: 'Bank', color: 'red' },
    { name: 'Bank', color: '#ffffff;background:url(//evil.example)' },
    { name: 'Bank', logoUrl: 'javascript:alert(1)' },
    { name: 'Bank', supportUrl: 'javascript:alert(1)' },
    { name: 'Bank', supportUrl: 'http://bank.example' },
  ])('makes no brand: %j', async (body) => {
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
  const details = '[{"type":"payment","amount":"10"}]';
  const detailsHash = messageHashOf(details);
  const unlike: Record<string, Partial<Challenge>> = {
    'another message': { message: 'Pay 1,250 €?' },
    'another hash': { messageHash: messageHashOf('Pay 1,250 €?') },
    'details without a hash': { details },
    'a hash without details': { detailsHash },
    'another context': { context: context.replace('off', 'preferred') },
    'another hash of the context': { contextHash: messageHashOf('{}') },
    'other details': { details: details.replace('10', '99'), detailsHash },
  };
  test.each(Object.entries(unlike))(
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
