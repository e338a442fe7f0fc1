/** What the package does when an answer is lost, late or refused. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Device, DeviceError, preview, settings, WebCryptoKey, type Challenge } from '#device';
import { messageHashOf } from '../../../client/digests.ts';
import { json, lost, messagesOf, problem, ScriptedService, type Reply } from '../support/scripted-service.ts';

const callTime = Date.parse('2026-05-01T12:00:00.250Z');
const service = new ScriptedService();
let key: WebCryptoKey;

beforeAll(async () => {
  await service.start();
  key = await WebCryptoKey.generate();
});
afterAll(async () => {
  await service.stop();
});

const newDevice = (now = (): number => callTime): Device =>
  new Device({
    identity: { baseUrl: service.url, deviceId: 'device-1', tenantId: 'tenant-1', userId: 'user-1' },
    key,
    now,
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

const confirmed = json(200, { status: 'confirmed' });
const nothing = json(204, '');
const unavailable = problem(503, 'temporarily-unavailable', {}, { 'retry-after': '0' });

async function errorOf(work: Promise<unknown>): Promise<DeviceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeviceError) return error;
  throw new Error('Expected a DeviceError', { cause: error });
}

const secondsOf = (jws: string | undefined): number => decodeJwt(jws ?? '').iat ?? Number.NaN;

describe('the same message', () => {
  test.each([
    ['after a lost answer', lost],
    ['after 503', unavailable],
    ['after 500 of a proxy', json(500, '<html>')],
    ['after 502', json(502, '')],
    ['after 429', json(429, { message: 'Too Many Requests' }, { 'retry-after': '0' })],
  ])('is repeated %s', async (_, failure) => {
    service.reply(failure, failure, confirmed);
    await expect(newDevice().answer(challenge, { decision: 'confirm' })).resolves.toEqual({
      status: 'confirmed',
    });
    const [first, ...others] = messagesOf(service);
    expect(others).toEqual([first, first]);
  });

  test('is repeated after the pause in Retry-After', async () => {
    service.reply(problem(503, 'temporarily-unavailable', {}, { 'retry-after': '2' }), confirmed);
    const start = performance.now();
    await newDevice().answer(challenge, { decision: 'confirm' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(2_000);
  });

  test('is repeated at enrolment', async () => {
    const enrolled = { deviceId: 'd', tenantId: 't', userId: 'u', tenant: 'Bank', account: 'Anna' };
    service.reply(lost, json(201, enrolled));
    const link = { baseUrl: service.url, code: 'code' };
    const device = await Device.enrol(link, { name: 'Phone', platform: 'web' }, { key });
    expect(device.identity).toEqual({ baseUrl: service.url, ...enrolled });
    const [first, second] = messagesOf(service);
    expect(second).toBe(first);
  });

  test('is repeated for a preview', async () => {
    const body = { tenant: 'Bank', expiresAt: '2026-05-01T12:10:00.000Z', userVerification: 'off' };
    service.reply(lost, json(200, body));
    await expect(preview({ baseUrl: service.url, code: 'code' })).resolves.toEqual(body);
    expect(service.requests.map(({ method, path, body: sent }) => [method, path, sent])).toEqual(
      Array(2).fill(['POST', '/omi/device/enrolments/preview', '{"code":"code"}']),
    );
  });

  test('is repeated for settings', async () => {
    const body = { webPush: { applicationServerKey: 'BA' }, rpId: 'localhost', origins: [service.url] };
    service.reply(lost, json(200, body));
    await expect(settings(service.url)).resolves.toEqual(body);
  });

  test('is repeated for the same answer of the user after the call was given up', async () => {
    const device = newDevice();
    service.reply(lost, lost, lost, lost);
    expect((await errorOf(device.answer(challenge, { decision: 'confirm' }))).code).toBe('network');
    const [first] = messagesOf(service);
    service.reply(confirmed);
    await device.answer(challenge, { decision: 'confirm' });
    expect(messagesOf(service)).toEqual([first]);
  });

  test('is not repeated for another decision or number', async () => {
    const device = newDevice();
    service.reply(lost, lost, lost, lost);
    await errorOf(device.answer(challenge, { decision: 'confirm', number: '12' }));
    const [first] = messagesOf(service);
    for (const other of [{ decision: 'deny' }, { decision: 'confirm', number: '13' }] as const) {
      service.reply(problem(422, 'number-required'));
      await errorOf(device.answer(challenge, other));
      expect(messagesOf(service)).not.toContain(first);
    }
  });

  test('is not repeated after a refusal', async () => {
    const device = newDevice();
    service.reply(problem(422, 'number-required'));
    const error = await errorOf(device.answer(challenge, { decision: 'confirm' }));
    expect(error).toMatchObject({ code: 'number-required', status: 422, detail: 'Why.' });
    expect(service.requests).toHaveLength(1);
    const [first] = messagesOf(service);
    service.reply(confirmed);
    await device.answer(challenge, { decision: 'confirm' });
    expect(messagesOf(service)).not.toContain(first);
  });

  test('is not repeated when the service demands a long pause, which the error reports', async () => {
    service.reply(json(429, { message: 'Too Many Requests' }, { 'retry-after': '20' }));
    const error = await errorOf(newDevice().challenges());
    expect(error).toMatchObject({ code: 'temporarily-unavailable', status: 429, retryAfter: 20 });
    expect(service.requests).toHaveLength(1);
  });

  test('is not repeated before the date that the service demands', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    service.reply(json(503, '', { 'retry-after': inAMinute }));
    const { retryAfter = 0 } = await errorOf(newDevice().challenges());
    expect(retryAfter).toBeGreaterThan(20);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(service.requests).toHaveLength(1);
  });

  test('is not repeated after the longest time of a call', async () => {
    const clock = jest.spyOn(performance, 'now');
    const late: Reply = (response) => {
      clock.mockReturnValue(performance.timeOrigin + 60_000);
      response.socket?.resetAndDestroy();
    };
    try {
      service.reply(late, confirmed);
      const error = await errorOf(newDevice().answer(challenge, { decision: 'confirm' }));
      expect(error.code).toBe('network');
      expect(service.requests).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  test('is repeated up to four times', async () => {
    service.reply(unavailable, unavailable, unavailable, unavailable, confirmed);
    const error = await errorOf(newDevice().answer(challenge, { decision: 'confirm' }));
    expect(error).toMatchObject({ code: 'temporarily-unavailable', status: 503 });
    expect(service.requests).toHaveLength(4);
  });
});

describe('a wrong clock', () => {
  const serverTime = '2026-05-01T13:00:00.250Z';
  const skewed = problem(401, 'clock-skew', { serverTime });

  test('is corrected once by the time of the service', async () => {
    const device = newDevice();
    service.reply(skewed, json(200, { challenges: [] }), json(200, { challenges: [] }));
    await expect(device.challenges()).resolves.toEqual([]);
    await device.challenges();
    const seconds = messagesOf(service).map(secondsOf);
    const right = Math.floor(Date.parse(serverTime) / 1000);
    expect(seconds).toEqual([Math.floor(callTime / 1000), right, right]);
  });

  test('is reported if the service rejects its own time', async () => {
    service.reply(skewed, skewed);
    const error = await errorOf(newDevice().challenges());
    expect(error).toMatchObject({ code: 'clock-skew', status: 401, serverTime });
    expect(service.requests).toHaveLength(2);
  });

  test.each([undefined, 'soon', 12, null])('is reported if the service states no time: %p', async (time) => {
    service.reply(problem(401, 'clock-skew', { serverTime: time }));
    expect((await errorOf(newDevice().challenges())).code).toBe('clock-skew');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a push token', () => {
  test('is sent in the next second if another was sent in this one', async () => {
    const device = newDevice();
    service.reply(nothing, nothing);
    await device.refreshPushToken({ pushToken: 'token-1' });
    await device.refreshPushToken({ pushToken: 'token-2' });
    const [first, second] = messagesOf(service).map(secondsOf);
    expect(second).toBe((first ?? Number.NaN) + 1);
  });

  test('is sent again if another object of this device sent a newer one', async () => {
    service.reply(problem(409, 'stale-request'), nothing);
    await newDevice().refreshPushToken({ pushToken: 'token-1' });
    const [first, second] = messagesOf(service).map(secondsOf);
    expect(second).toBe((first ?? Number.NaN) + 1);
  });

  test('is reported if it stays older', async () => {
    service.reply(...Array.from({ length: 5 }, () => problem(409, 'stale-request')));
    const error = await errorOf(newDevice().refreshPushToken({ pushToken: 'token-1' }));
    expect(error.code).toBe('stale-request');
    const [first = Number.NaN, ...others] = messagesOf(service).map(secondsOf);
    expect(others).toEqual([1, 2, 3, 4].map((seconds) => first + seconds));
  });

  test('gets the right time after a clock that was ahead', async () => {
    const device = newDevice();
    const serverTime = '2026-05-01T11:00:00.250Z';
    service.reply(problem(401, 'clock-skew', { serverTime }), nothing);
    await device.refreshPushToken({ pushToken: 'token-1' });
    expect(secondsOf(messagesOf(service)[1])).toBe(Math.floor(Date.parse(serverTime) / 1000));
  });
});

describe('a request for challenges', () => {
  test('is signed again, once, if it arrived before', async () => {
    service.reply(lost, problem(409, 'stale-request'), json(200, { challenges: [] }));
    await expect(newDevice().challenges()).resolves.toEqual([]);
    const [lostOne, again, anew] = messagesOf(service);
    expect(again).toBe(lostOne);
    expect(anew).not.toBe(lostOne);
    service.reply(...[1, 2].map(() => problem(409, 'stale-request')));
    expect((await errorOf(newDevice().challenges())).code).toBe('stale-request');
  });
});

describe('a removal', () => {
  test('has happened if its answer was lost and the device is unknown afterwards', async () => {
    service.reply(lost, problem(401, 'invalid-signature'));
    await expect(newDevice().unregister()).resolves.toBeUndefined();
    expect(service.requests).toHaveLength(2);
  });

  test('is reported if the device was unknown before', async () => {
    service.reply(problem(401, 'invalid-signature'));
    expect((await errorOf(newDevice().unregister())).code).toBe('invalid-signature');
  });
});
