import { describe, expect, test } from '@jest/globals';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import type { Device } from '../../../core/devices/device.ts';
import { emptyHistory } from '../../../core/devices/push-history.ts';
import { writeContext } from '../../../core/confirmations/context.ts';
import { plainContext } from '../../support/plain-context.ts';
import { authorizesChange, isStillAuthorized } from '../../../core/enrolment/device-changes.ts';
import { anyReceipt } from '../../support/receipts.ts';

const now = Date.UTC(2026, 2, 1);
const minutes = 60_000;
const user = { tenantId: 'tenant', userId: 'alice' };
const device = (deviceId: string): Device => ({
  ...user,
  deviceId,
  name: 'Phone',
  platform: 'fcm',
  status: 'unreachable',
  enrolledAt: 0,
  key: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  receipt: anyReceipt,
  pushToken: 'token',
  endpointArn: 'arn',
});
const withoutPurpose: Confirmation = {
  ...user,
  deviceId: 'phone',
  challengeId: 'challenge',
  clientId: 'website',
  nonce: 'nonce',
  message: 'Add a phone?',
  messageHash: 'hash',
  ...plainContext,
  expiresIn: 600,
  status: 'confirmed',
  delivery: 'sent',
  createdAt: now - 11 * minutes,
  decidedAt: now - 10 * minutes,
  expiresAt: now - minutes,
  attemptId: 'attempt',
};
const confirmed: Confirmation = {
  ...withoutPurpose,
  ...writeContext({ purpose: 'add-device', userVerification: 'off' }),
};
const removal = (deviceId: string): Confirmation => ({
  ...withoutPurpose,
  ...writeContext({
    purpose: 'remove-device',
    device: { deviceId, name: 'Phone' },
    userVerification: 'off',
  }),
});
const change = {
  user,
  devices: [device('tablet'), device('phone')],
  purpose: 'add-device',
  use: 'code',
} as const;

describe('a confirmation', () => {
  test('authorizes a change for 10 minutes after the answer, whatever its lifetime', () => {
    expect(authorizesChange(confirmed, change, now)).toBe(true);
    expect(authorizesChange(confirmed, change, now + 1)).toBe(false);
  });

  test('authorizes the same change again, and no other', () => {
    expect(authorizesChange({ ...confirmed, usedFor: 'code' }, change, now)).toBe(true);
    expect(authorizesChange({ ...confirmed, usedFor: 'another' }, change, now)).toBe(false);
  });

  test('authorizes only the removal of the device that it showed', () => {
    const removing = { ...change, purpose: 'remove-device', use: 'tablet' } as const;
    expect(authorizesChange(removal('tablet'), removing, now)).toBe(true);
    expect(authorizesChange(removal('phone'), removing, now)).toBe(false);
  });

  test.each<[string, Confirmation]>([
    ["another user's", { ...confirmed, userId: 'Alice' }],
    ["another tenant's", { ...confirmed, tenantId: 'neighbour' }],
    ['another purpose', removal('code')],
    ['no purpose', withoutPurpose],
    ...(['pending', 'denied', 'expired', 'cancelled', 'failed'] as const).map(
      (status): [string, Confirmation] => [status, { ...confirmed, status }],
    ),
    ['a device that is gone', { ...confirmed, deviceId: 'old-phone' }],
  ])('does not authorize the change: %s', (_name, confirmation) => {
    expect(authorizesChange(confirmation, change, now)).toBe(false);
  });
});

test('a code stays authorized while the user has the device that confirmed, or by recovery', () => {
  const authorization = { by: 'confirmation', challengeId: 'challenge', deviceId: 'phone' } as const;
  const user = { devices: [...change.devices], history: emptyHistory };
  expect(isStillAuthorized(authorization, user)).toBe(true);
  expect(isStillAuthorized(authorization, { ...user, devices: [device('tablet')] })).toBe(false);
  expect(isStillAuthorized({ by: 'recovery' }, user)).toBe(true);
  expect(isStillAuthorized(undefined, user)).toBe(false);
});
