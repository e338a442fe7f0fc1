import { describe, expect, test } from '@jest/globals';
import type { Confirmation } from '../../client/contract.ts';
import { challengeIdOf, messageHashOf, verifyEvidence } from '../../client/evidence.ts';
import { signCompact } from '../../client/device/jws.ts';
import { newKeyPair } from '../../client/device/simulated-device.ts';

const asked = { tenantId: 'tenant-1', message: 'Pay 12.50 €?', nonce: 'nonce-0123456789' };
const keys = newKeyPair();

function confirmed(
  change: { claims?: object; typ?: string; key?: typeof keys.privateKey } = {},
): Confirmation {
  const challengeId = challengeIdOf(asked.tenantId, asked.nonce);
  const messageHash = messageHashOf(asked.message);
  const evidence = signCompact({
    header: { typ: change.typ ?? 'omi-response+jws', kid: 'device-1' },
    claims: {
      iss: 'device-1',
      tid: 'tenant-1',
      sub: 'user-1',
      challengeId,
      messageHash,
      decision: 'confirm',
      ...change.claims,
    },
    key: change.key ?? keys.privateKey,
  });
  return {
    nonce: asked.nonce,
    challengeId,
    tenantId: 'tenant-1',
    userId: 'user-1',
    deviceId: 'device-1',
    messageHash,
    status: 'confirmed',
    delivery: 'sent',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:02:00.000Z',
    interval: 1,
    userVerified: false,
    evidence,
    deviceKey: keys.publicKey.export({ format: 'jwk' }) as Confirmation['deviceKey'] & object,
  };
}

describe('evidence', () => {
  test('proves the decision about this message', async () => {
    expect(await verifyEvidence(confirmed(), asked)).toMatchObject({ decision: 'confirm', sub: 'user-1' });
  });

  test('challenge and message are identified by their hashes', () => {
    expect(challengeIdOf('t', 'n')).toBe('sugOqVxmioKObC1CcktFPVuIi87spBWVG48WJzduack');
    expect(messageHashOf('é')).toBe('SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw_biumnEw');
  });

  test.each([{ tenantId: 'tenant-2' }, { message: 'Pay 1250 €?' }, { nonce: 'nonce-9876543210' }])(
    'is none for %j',
    async (other) => {
      await expect(verifyEvidence(confirmed(), { ...asked, ...other })).rejects.toThrow(
        'The evidence has another',
      );
    },
  );

  test.each([{ iss: 'device-2' }, { sub: 'user-2' }, { tid: 'tenant-2' }, { decision: 'deny' }])(
    'with %j is not that of the confirmation',
    async (claims) => {
      await expect(verifyEvidence(confirmed({ claims }), asked)).rejects.toThrow('The evidence has another');
    },
  );

  test("needs the device's signature over an answer", async () => {
    const forged = confirmed({ key: newKeyPair().privateKey });
    await expect(verifyEvidence(forged, asked)).rejects.toThrow("not the device's");
    await expect(verifyEvidence(confirmed({ typ: 'JWT' }), asked)).rejects.toThrow('no response');
  });

  test('of a denial does not prove a confirmation', async () => {
    const swapped = { ...confirmed(), status: 'denied' as const };
    await expect(verifyEvidence(swapped, asked)).rejects.toThrow('another decision');
  });

  test('is missing without a decision', async () => {
    const { evidence, ...open } = { ...confirmed(), status: 'pending' as const };
    expect(evidence).toBeDefined();
    await expect(verifyEvidence(open, asked)).rejects.toThrow('no evidence');
  });
});
