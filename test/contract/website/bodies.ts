import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectGatewayAnswer, expectProblem } from '../expectations.ts';

const endpoints = [
  '/omi/enrol/qr',
  '/omi/push/user/somebody',
  '/omi/push/user/somebody/device/some-device',
  '/omi/events',
];
const json = { 'content-type': 'application/json' };

export function bodies(stack: TestStack): void {
  const post = async (path: string, body: string, headers: Record<string, string> = json) =>
    await stack.website.call({ method: 'POST', path, body, headers }, v.unknown());

  test.each(endpoints)('%s accepts only JSON', async (path) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jose'])
      expectProblem(await post(path, '{}', { 'content-type': type }), 415, 'unsupported-media-type');
  });

  test.each(endpoints)('%s rejects anything but a JSON object', async (path) => {
    for (const body of ['', '{', '{"a":}', '[]', 'null', '"text"', '42', 'true']) {
      const { errors } = expectProblem(await post(path, body), 400, 'invalid-request', {
        errors: expect.anything(),
      });
      expect(errors?.map(({ pointer }) => pointer)).toEqual(['']);
    }
  });

  test('every fault of a request is named at once', async () => {
    const path = `/omi/push/user/${encodeURIComponent('no spaces')}`;
    const body = { message: '', nonce: 'short', expiresIn: 1, extra: true, 'with/slash~': 1 };
    expectFaults(
      await post(path, JSON.stringify(body)),
      '#/path/userId',
      '/message',
      '/nonce',
      '/expiresIn',
      '/extra',
      '/with~1slash~0',
    );
    expectFaults(await post('/omi/push/user/somebody', '{}'), '/message', '/nonce');
  });

  test('the gateway accepts at most 10 MB', async () => {
    expectGatewayAnswer(await post('/omi/enrol/qr', `"${'a'.repeat(10 * 1024 * 1024)}"`), 413);
  });
}
