/** One call of a receiver: what its answer means, and whom the service does not call. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ReceiverCaller } from '../../../core/outbound/call-receiver.ts';
import { hours, seconds } from '../../../core/kernel/time.ts';
import { accepting, answering, Receiver } from '../../support/receiver.ts';

const content = { headers: { 'content-type': 'application/json' }, body: '{}' };

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(async () => await receiver.close());
beforeEach(() => {
  receiver.behave = accepting;
  receiver.calls.length = 0;
});

const call = async (url = receiver.url, allowsLoopback = true) =>
  await new ReceiverCaller(allowsLoopback).call(url, content, () => undefined);

describe('an answer', () => {
  test.each([200, 204, 299])('is a success with the status %i', async (status) => {
    receiver.behave = answering(status);
    expect(await call()).toEqual({
      succeeded: true,
      reason: `It answered with HTTP ${status}.`,
      isFast: true,
    });
  });

  test.each([300, 302, 399, 400, 404, 500])('is a failure with the status %i', async (status) => {
    receiver.behave = answering(status, { location: '/elsewhere' });
    expect(await call()).toEqual({
      succeeded: false,
      reason: `It answered with HTTP ${status}.`,
      demanded: 0,
      isGone: false,
    });
    expect(receiver.calls).toHaveLength(1);
  });

  test('is a failure if it changes the protocol', async () => {
    receiver.behave = (response) => {
      response.socket?.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
      );
    };
    expect(await call()).toMatchObject({ succeeded: false, reason: 'It answered with HTTP 101.' });
  });

  test('ends the calls with the status 410', async () => {
    receiver.behave = answering(410);
    expect(await call()).toMatchObject({ succeeded: false, isGone: true });
  });

  test.each([
    ['60', 60 * seconds],
    [`${24 * 60 * 60 + 1}`, 24 * hours],
    ['soon', 0],
  ])('has Retry-After: %s, and the next call waits %i ms, at most a day', async (wanted, demanded) => {
    receiver.behave = answering(503, { 'retry-after': wanted });
    expect(await call()).toMatchObject({ succeeded: false, demanded });
  });
});

describe('the service', () => {
  test('refuses this machine, unless it is allowed', async () => {
    expect(await call(receiver.url, false)).toEqual({
      succeeded: false,
      reason: 'Its host is not on the public internet.',
      demanded: 0,
      isGone: false,
    });
    expect(receiver.calls).toEqual([]);
  });

  test.each(['https://10.0.0.1/a', 'https://localhost/a', 'http://bank.example/a'])(
    'refuses %s, even if this machine is allowed',
    async (url) => {
      const reason = 'Its host is not on the public internet.';
      expect(await call(url)).toMatchObject({ succeeded: false, reason });
    },
  );

  test('refuses an invalid URL, which the reason does not quote', async () => {
    const reason = 'The connection failed: ERR_INVALID_URL.';
    expect(await call('secret path')).toMatchObject({ succeeded: false, reason });
  });
});
