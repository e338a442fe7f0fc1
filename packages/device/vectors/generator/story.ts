/** Who and what all vectors are about: one service, one device, some challenges. */
import { createHash } from 'node:crypto';
import { deviceKey, type PublicJwk } from './keys.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

export const thumbprintOf = ({ crv, kty, x, y }: PublicJwk): string =>
  sha256(JSON.stringify({ crv, kty, x, y }));

export const baseUrl = 'https://omi.example.org';
export const appLink = 'https://app.example.org';

export const identity = {
  deviceId: '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46',
  tenantId: '5b1f0c7e-3d2a-4c8b-9e6f-1a2b3c4d5e6f',
  userId: 'anna@shop',
};

/** The registered name of the tenant, and what apps show in place of the user id. */
export const tenant = 'Example Shop';
export const account = 'Anna · …4711';

/** The service's record of the device. */
export const device = { ...identity, account, publicKey: deviceKey.publicJwk };

/** The service's clock, in seconds since 1970. */
export const now = Date.parse('2026-03-02T10:00:08Z') / 1000;

export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** The thumbprint of the device's key (RFC 7638). */
export const jkt = thumbprintOf(deviceKey.publicJwk);

export const code = 'hq3bV0kQ2mYcTz8dXr5nWg7uLpJs1eAf';
export const pushToken = 'cT9wPpQ0S3mE:APA91bF7x2nQ4kVd8LrT1yWc5hZs6oJg';

/** Version 4 UUIDs that depend on their text alone. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`OMI test vectors: ${text}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** What a website asked. The device knows neither the nonce nor, before its user has typed it, the number. */
export type Asked = { nonce: string; matchCode?: string };

/** A challenge as the device gets it, and what the service knows besides. */
export type Challenge = {
  challengeId: string;
  tenant: string;
  account: string;
  message: string;
  messageHash: string;
  createdAt: string;
  expiresAt: string;
  matchNumbers?: string[];
  details?: string;
  detailsHash?: string;
  context: string;
  contextHash: string;
  asked: Asked;
};

type Shown = Partial<Pick<Challenge, 'matchNumbers' | 'details' | 'detailsHash' | 'context'>>;

/** The text of a context, as the service writes it. */
export const contextOf = (members: object = {}, userVerification = 'off'): string =>
  JSON.stringify({
    requester: { tenant, client: 'Shop website' },
    userVerification,
    ...members,
  });

export function challengeOf(
  message: string,
  asked: Asked,
  { context = contextOf(), ...shown }: Shown = {},
): Challenge {
  const createdAt = now - 8;
  return {
    challengeId: sha256(`${identity.tenantId}\n${asked.nonce}`),
    tenant,
    account,
    message,
    messageHash: sha256(message),
    createdAt: timeOf(createdAt),
    expiresAt: timeOf(createdAt + 120),
    context,
    contextHash: sha256(context),
    ...shown,
    asked,
  };
}

export const plainChallenge = challengeOf('Change the payment method to card ending 4242?', {
  nonce: '7d0f9a1c-52b4-4f6e-8f3a-0c6f1e2d9b58',
});
