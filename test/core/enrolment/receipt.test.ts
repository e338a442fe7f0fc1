import { describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import { fromStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import type { Authorization } from '../../../core/enrolment/device-changes.ts';
import { receiptClaims, signReceipt } from '../../../core/enrolment/receipt.ts';
import { newKeyPair } from '../../../client/device/simulated-device.ts';
import type { WebDevice } from '../../../core/devices/device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { receiptDeps, receiptJwk } from '../../support/receipts.ts';

const keyOf = (): DeviceKey => {
  const { x = '', y = '' } = newKeyPair().publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', x, y };
};
const device: Omit<WebDevice, 'receipt'> = {
  ...{ tenantId: 'tenant', userId: 'alice', deviceId: 'phone', name: 'Phone' },
  ...{ platform: 'web', status: 'active', enrolledAt: 1_750_000_000_900, key: keyOf() },
};
const confirmed: Authorization = { by: 'confirmation', challengeId: 'challenge', deviceId: 'tablet' };
const usual = {
  device,
  clientId: 'website',
  isFirst: false,
  policy: 'confirm',
  authorization: undefined,
} as const;

describe('a receipt', () => {
  test('names user, tenant, device and its key, in whole seconds, and nothing else of the device', async () => {
    expect(receiptClaims('https://api.example.com', { ...usual, policy: 'free' })).toEqual({
      iss: 'https://api.example.com',
      iat: 1_750_000_000,
      sub: 'alice',
      tid: 'tenant',
      deviceId: 'phone',
      jkt: await calculateJwkThumbprint(device.key),
      platform: 'web',
      by: 'free',
      client: 'website',
    });
  });

  test('names the passkey by its id, key and host, without its counter', async () => {
    const passkey = { id: 'id', rpId: 'app.example.com', key: keyOf(), counter: 7 };
    expect(receiptClaims('', { ...usual, device: { ...device, passkey } }).passkey).toEqual({
      id: 'id',
      jkt: await calculateJwkThumbprint(passkey.key),
      rpId: 'app.example.com',
    });
  });

  test.each([
    ['first', { isFirst: true }],
    ['first', { isFirst: true, authorization: { by: 'recovery' } }],
    ['confirmation', { authorization: confirmed }],
    ['recovery', { authorization: { by: 'recovery' } }],
    ['free', { policy: 'notify' }],
    ['free', { policy: 'free', authorization: confirmed }],
  ] as const)('states that the enrolment was allowed by "%s": %j', (by, given) => {
    const claims = receiptClaims('', { ...usual, ...given });
    expect(claims.by).toBe(by);
    expect(claims.challengeId).toBe(by === 'confirmation' ? 'challenge' : undefined);
  });

  test('can be verified with the published key that its header names', async () => {
    const receipt = fromStoredJws(await signReceipt(receiptDeps, usual));
    const { protectedHeader, payload } = await compactVerify(receipt, await importJWK(receiptJwk));
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'omi-receipt+jwt', kid: receiptJwk.kid });
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(receiptClaims(receiptDeps.issuer, usual));
  });
});
