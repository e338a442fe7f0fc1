import { thumbprintOf, type Device } from '../devices/device.ts';
import { type StoredJws, toStoredJws } from '../devices/protocol/stored-jws.ts';
import { testIntentOf } from '../kernel/test-users.ts';
import { seconds } from '../kernel/time.ts';
import type { JwsSigner } from '../keys/jws-signer.ts';
import type { FurtherDevicesPolicy } from '../tenants/further-devices-policy.ts';
import type { Authorization } from './device-changes.ts';

/**
 * Why the service accepted a device: the user never had one (`first`), the tenant's policy asks for nothing (`free`), the user
 * confirmed it on another device, the website said that it verified the user again (`recovery`), or the user is a test
 * user.
 */
export type EnrolledBy = 'first' | 'free' | 'confirmation' | 'recovery' | 'test';

export type ReceiptClaims = {
  iss: string;
  iat: number;
  sub: string;
  tid: string;
  deviceId: string;
  /** Thumbprint of the device's key. */
  jkt: string;
  platform: Device['platform'];
  passkey?: { id: string; jkt: string; rpId: string };
  by: EnrolledBy;
  /** The confirmation that authorized the enrolment. */
  challengeId?: string;
  /** The client that asked for the code. */
  client: string;
};

export type ReceiptDeps = { receipts: Pick<JwsSigner, 'sign'>; issuer: string };

export type Receivable = {
  device: Omit<Device, 'receipt'>;
  clientId: string;
  isFirst: boolean;
  policy: FurtherDevicesPolicy;
  authorization: Authorization | undefined;
};

/** The policy decides, not what the website had: without `confirm` a recovery or a confirmation was not asked for. */
function enrolledBy({ device, isFirst, policy, authorization }: Receivable): EnrolledBy {
  if (testIntentOf(device.userId)) return 'test';
  if (isFirst) return 'first';
  return policy === 'confirm' && authorization ? authorization.by : 'free';
}

const passkeyClaim = ({ passkey }: Pick<Device, 'passkey'>) =>
  passkey && { passkey: { id: passkey.id, jkt: thumbprintOf(passkey.key), rpId: passkey.rpId } };

export const receiptClaims = (issuer: string, receivable: Receivable): ReceiptClaims => {
  const { device, clientId, authorization } = receivable;
  const by = enrolledBy(receivable);
  return {
    iss: issuer,
    iat: Math.floor(device.enrolledAt / seconds),
    sub: device.userId,
    tid: device.tenantId,
    deviceId: device.deviceId,
    jkt: thumbprintOf(device.key),
    platform: device.platform,
    ...passkeyClaim(device),
    by,
    ...(by === 'confirmation' &&
      authorization?.by === 'confirmation' && { challengeId: authorization.challengeId }),
    client: clientId,
  };
};

/** The service's signed statement that it enrolled this key for this user. One call of KMS. */
export const signReceipt = async (
  { receipts, issuer }: ReceiptDeps,
  receivable: Receivable,
): Promise<StoredJws> =>
  toStoredJws(await receipts.sign(receiptClaims(issuer, receivable), { typ: 'omi-receipt+jwt' }));
