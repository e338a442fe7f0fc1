import { ECDH } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { expectSchema } from '../../support/openapi.ts';
import type { TestStack } from '../../support/stack.ts';

export function settings(stack: TestStack): void {
  const get = async (path = '/omi/device/settings', init: RequestInit = {}) =>
    await fetch(`${stack.file.baseUrl}${path}`, init);

  test('are answered without credentials, cacheable for five minutes', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const body = (await response.json()) as { webPush: { applicationServerKey: string } };
    expectSchema('DeviceSettings', body);
    const key = Buffer.from(body.webPush.applicationServerKey, 'base64url');
    expect(key).toHaveLength(65);
    expect(() => ECDH.convertKey(key, 'prime256v1')).not.toThrow();
  });
}
