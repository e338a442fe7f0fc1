/** Answers of a device, signed as a device signs them, and with any fault. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Asked, Confirmation, OmiKeys, Trust } from '#website';

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

export function thumbprintOf(key: KeyObject): string {
  const { crv, kty, x, y } = publicJwk(key);
  return sha256(JSON.stringify({ crv, kty, x, y }));
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey, publicKey } = newPair();
export const otherKeys = newPair();

type PublicKey = Confirmation['deviceKey'] & object;
export const publicJwk = (key: KeyObject): PublicKey => key.export({ format: 'jwk' }) as PublicKey;

/** The service's key for receipts. */
const receiptPair = newPair();
export const omiKeys: OmiKeys = {
  keys: [
    {
      ...publicJwk(receiptPair.publicKey),
      kid: 'receipts',
      for: 'receipt',
      from: '2026-01-01T00:00:00.000Z',
    },
  ],
};

export const asked = {
  baseUrl: 'https://api.example.org',
  keys: omiKeys,
  tenantId: 'tenant-1',
  userId: 'user-1',
  message: 'Pay 12.50 € to Example Shop?',
  nonce: 'nonce-0123456789',
} satisfies Asked & Trust;

export const deviceId = 'device-1';
export const jkt = thumbprintOf(publicKey);
export const context = JSON.stringify({
  requester: { tenant: 'Example Shop', client: 'Website' },
  userVerification: 'off',
});
export const header = { alg: 'ES256', typ: 'omi-response+jws', kid: deviceId };

type Question = Pick<typeof asked, 'tenantId' | 'nonce' | 'message' | 'userId' | 'baseUrl'>;

export const claimsOf = ({ tenantId, nonce, message, userId, baseUrl }: Question) => ({
  iss: deviceId,
  sub: userId,
  tid: tenantId,
  aud: baseUrl,
  iat: 1_777_636_800,
  jti: 'jti-1',
  jkt,
  challengeId: sha256(`${tenantId}\n${nonce}`),
  messageHash: sha256(message),
  contextHash: sha256(context),
  decision: 'confirm',
});

export const claims = claimsOf(asked);

function encode(part: object | string | Uint8Array): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('base64url');
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

export type Signed = { header?: object | string; claims?: object | string; key?: KeyObject };

/** A JWS of any content: objects, or the very text or bytes of a part. */
export function signJws({
  header: head = header,
  claims: body = claims,
  key = privateKey,
}: Signed = {}): string {
  const input = `${encode(head)}.${encode(body)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The service's receipt of the enrolment. */
export const receiptFor = (member: object = {}): string =>
  signJws({
    header: { alg: 'ES256', typ: 'omi-receipt+jwt', kid: 'receipts' },
    claims: {
      ...{ iss: asked.baseUrl, iat: 1_775_000_000, sub: asked.userId, tid: asked.tenantId, deviceId, jkt },
      ...{ platform: 'web', by: 'first', client: 'website', ...member },
    },
    key: receiptPair.privateKey,
  });

type Overrides = Partial<Confirmation> & { context?: string; receipt?: string };

/** As the service gives it, with the evidence of these parts. */
export function confirmation(signed: Signed = {}, overrides: Overrides = {}): Confirmation {
  return {
    receipt: receiptFor(),
    nonce: asked.nonce,
    challengeId: claims.challengeId,
    tenantId: asked.tenantId,
    userId: asked.userId,
    deviceId,
    messageHash: claims.messageHash,
    context,
    contextHash: claims.contextHash,
    status: 'confirmed',
    delivery: 'sent',
    createdAt: '2026-05-01T12:00:00.000Z',
    expiresAt: '2026-05-01T12:02:00.000Z',
    interval: 1,
    userVerified: false,
    evidence: signJws(signed),
    deviceKey: publicJwk(publicKey),
    ...overrides,
  };
}

/** While the user has not answered. */
export function pending(overrides: Partial<Confirmation> = {}): Confirmation {
  const waiting = confirmation({}, { status: 'pending', ...overrides });
  delete waiting.evidence;
  delete waiting.deviceKey;
  delete waiting.receipt;
  return waiting;
}
