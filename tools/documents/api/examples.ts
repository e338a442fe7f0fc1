/**
 * One story for every example of the document: made by the service's own views, so that they cannot show
 * what it does not answer. `signed-examples.json` holds what a device of the story signed.
 */
import { brandView } from '../../../core/tenants/brand.ts';
import { exampleReplayId } from './export-examples.ts';
import { createPublicKey } from 'node:crypto';
import { confirmationSubject, groupSubject } from '../../../core/callbacks/subject.ts';
import {
  challengeView,
  confirmationView,
  type Confirmation,
} from '../../../core/confirmations/confirmation.ts';
import { writeContext } from '../../../core/confirmations/context.ts';
import { type Group, groupIdOf, groupView, voteIdOf } from '../../../core/confirmations/groups/group.ts';
import { describeDevice, deviceView, thumbprintOf, type Device } from '../../../core/devices/device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { toStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import { receiptClaims } from '../../../core/enrolment/receipt.ts';
import { publishedKeyView } from '../../../core/keys/published-key.ts';
import { enrolmentIdOf, qrContent } from '../../../core/enrolment/enrolment.ts';
import { publicKeyOf } from '../../../core/devices/push/vapid-key.ts';
import { accessTokenClaims, idTokenClaims, tokenResponse } from '../../../core/openid/tokens.ts';
import { cibaGrantType, providerMetadata } from '../../../core/openid/provider-metadata.ts';
import { exampleStreamId } from './signals-examples.ts';
import { publicJwkOf } from '../../../core/keys/public-jwk.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { rfc3339 } from '../../../core/kernel/time.ts';
import { receiptKey } from '../../../packages/device/vectors/generator/keys.ts';
import record from '../../../docs/events/example.json' with { type: 'json' };
import signed from './signed-examples.json' with { type: 'json' };

const baseUrl = 'https://omi.example.org';
const code = 'hq3bV0kQ2mYcTz8dXr5nWg7uLpJs1eAf';
const nonce = '7d0f9a1c-52b4-4f6e-8f3a-0c6f1e2d9b58';
const message = 'Change the payment method to card ending 4242?';
const identity = {
  deviceId: '0193ab52-6c1e-7d4a-9b1f-3e5c7a9d2b46',
  tenantId: '5b1f0c7e-3d2a-4c8b-9e6f-1a2b3c4d5e6f',
  userId: 'anna@shop',
};
const { deviceId, tenantId, userId } = identity;
const tenant = 'Example Bank';
const accountLabel = 'Anna · …4711';

const enrolledAt = Date.parse('2026-03-02T09:14:05.120Z');
const createdAt = Date.parse('2026-03-02T10:00:00.000Z');
const decidedAt = createdAt + 8_450;

const description = { name: "Anna's phone", model: 'Pixel 9', osVersion: '16', appVersion: '2.4.1' };
const pushToken = 'cT9wPpQ0S3mE:APA91bF7x2nQ4kVd8LrT1yWc5hZs6oJg';
export const exampleKey = signed.key as DeviceKey;
const spkiOf = (key: DeviceKey): Uint8Array =>
  createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' });
/** Any key on P-256 does. */
const exampleTokenKey = publicJwkOf(spkiOf(exampleKey), 'token');
const exampleReceiptKey = publicJwkOf(spkiOf(receiptKey.publicJwk as DeviceKey), 'receipt');

const unsignedDevice = {
  ...identity,
  ...description,
  platform: 'fcm',
  status: 'active',
  enrolledAt,
  key: exampleKey,
  pushToken,
  endpointArn: '',
} as const;
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signatureOf = (jws: string): string => jws.slice(jws.lastIndexOf('.') + 1);
const receiptInput = [
  encoded({ alg: 'ES256', typ: 'omi-receipt+jwt', kid: exampleReceiptKey.kid }),
  encoded(
    receiptClaims(baseUrl, {
      device: unsignedDevice,
      clientId: 'website',
      isFirst: true,
      policy: 'notify',
      authorization: undefined,
    }),
  ),
].join('.');
const receipt = `${receiptInput}.${receiptKey.sign(Buffer.from(receiptInput)).toString('base64url')}`;
const justEnrolled: Device = { ...unsignedDevice, receipt: toStoredJws(receipt) };
const device: Device = { ...justEnrolled, lastSeenAt: createdAt + 2_310 };

const context = writeContext({
  requester: { tenant, client: 'website' },
  userVerification: 'off',
  requestedFrom: { browser: 'Firefox on Windows', place: 'Köln' },
});

const pending: Confirmation = {
  challengeId: challengeIdOf(tenantId, nonce),
  tenantId,
  userId,
  deviceId,
  clientId: '',
  attemptId: '',
  nonce,
  message,
  messageHash: messageHashOf(message),
  expiresIn: 120,
  ...context,
  status: 'pending',
  delivery: 'sent',
  createdAt,
  expiresAt: createdAt + 120_000,
};
const details = [{ type: 'payment', amount: '16.00', currency: 'EUR', to: 'Café Zoë' }];
const detailsText = JSON.stringify(details);
const opened: Confirmation = { ...pending, openedAt: createdAt + 2_310 };
const confirmed: Confirmation = {
  ...opened,
  status: 'confirmed',
  decidedAt,
  evidence: signed.messages.Answer,
  deviceKey: exampleKey,
  receipt: device.receipt,
};
/** As the stores have them. */
export const stored = { device, pending, confirmed };
const denied: Confirmation = { ...confirmed, status: 'denied', reason: 'not_me', evidence: signed.denial };
const expired: Confirmation = { ...opened, status: 'expired' };

/** A group of two of whom one must confirm. */
const groupNonce = '2f9c41d7-8e36-4b0a-a5d2-6c7be01f9384';
const members = [userId, 'boris@shop'];
const requested: Group = {
  groupId: groupIdOf({ tenantId, nonce: groupNonce, required: 1, members }),
  ...{ tenantId, clientId: '', nonce: groupNonce, members, required: 1 },
  ...{ confirmedBy: [], lostBy: ['boris@shop'], messageHash: messageHashOf(message) },
  ...{ status: 'pending', createdAt, expiresAt: createdAt + 120_000, attemptId: '' },
};
const groupContext = writeContext({
  requester: { tenant, client: 'website' },
  userVerification: 'off',
  group: { id: requested.groupId, required: 1, of: members.length },
});
const voteOf = (member: string): Confirmation => {
  const { nonce: _nonce, deviceId: _deviceId, ...vote } = { ...pending, ...groupContext, userId: member };
  return { ...vote, challengeId: voteIdOf(requested.groupId, member), groupId: requested.groupId };
};
const askedVote: Confirmation = { ...voteOf(userId), asked: [deviceId] };
const failedVote: Confirmation = {
  ...voteOf('boris@shop'),
  ...{ status: 'failed', reason: 'not_reachable', delivery: 'unreachable', decidedAt: createdAt },
};
const pendingGroup = { group: requested, votes: [askedVote, failedVote] };
const approvedGroup = {
  group: { ...requested, status: 'approved' as const, confirmedBy: [userId], decidedAt },
  votes: [
    {
      ...{ ...askedVote, deviceId, status: 'confirmed' as const, decidedAt, openedAt: createdAt + 2_310 },
      ...{ evidence: signed.messages.Answer, deviceKey: exampleKey, receipt: device.receipt },
    },
    failedVote,
  ],
};

/** The same question of an OpenID Connect client. A token of an example has the form of one, but no valid signature. */
const authReqId = 'q3Y0b1hXQm5mZ2tKc1d2TnRQeExhRWRVcmlHeVo3OFM';
const grant = {
  confirmation: {
    ...confirmed,
    details: detailsText,
    ciba: { scope: 'openid', interval: 2_000 },
  },
  client: { clientId: 'website', resource: 'https://bank.example.org' },
  authReqId,
  now: decidedAt + 1_200,
};
const tokenOf = (typ: string, claims: object): string =>
  [
    encoded({ alg: 'ES256', typ, kid: exampleTokenKey.kid }),
    encoded(claims),
    signatureOf(signed.denial),
  ].join('.');

export const exampleForms = {
  authentication: {
    scope: 'openid',
    login_hint: userId,
    binding_message: message,
    authorization_details: detailsText,
    requested_expiry: '120',
  },
  token: { grant_type: cibaGrantType, auth_req_id: authReqId },
};

/** What the service sends to receivers. */
export const exampleCalls = {
  callback: confirmationSubject(confirmed).view(decidedAt + 700),
  expired: confirmationSubject(expired).view(expired.expiresAt + 700),
  group: groupSubject(approvedGroup).view(decidedAt + 700),
  ping: { auth_req_id: authReqId },
  verification: { type: 'omi.verification', challenge: 'wDqVx0xM7Z2o8Wb0rT5nJkQeY1uLhS9A' },
};

const now = createdAt + 2_310;
const ids = { iss: deviceId, tid: tenantId, sub: userId, aud: baseUrl };
const { challengeId, messageHash, contextHash } = pending;
const answered = { challengeId, messageHash, contextHash };
const jkt = thumbprintOf(exampleKey);
const stamp = (at: number, jti: string) => ({ iat: Math.floor(at / 1000), jti, jkt });

export const exampleClaims = {
  Enrolment: {
    ...stamp(enrolledAt, '5f0e9c1b-7a34-4d86-b2c1-90d4e3f7a862'),
    aud: baseUrl,
    code,
    ...description,
    platform: 'fcm',
    pushToken,
  },
  Request: {
    ...stamp(now, '0c7d41e8-6b95-4f23-8a1e-d35b7c902f64'),
    ...ids,
    htm: 'GET',
    htu: `${baseUrl}/omi/device/challenges`,
  },
  Answer: {
    ...stamp(decidedAt, 'e29a8f37-14c0-4b6d-9d52-7f81c6b3a05e'),
    ...ids,
    ...answered,
    decision: 'confirm',
  },
  PushToken: { ...stamp(now, '91b3d7c4-2e58-4a0f-b6e9-48c05f1a7d23'), ...ids, pushToken },
  DeviceName: { ...stamp(now, '3f6a9d12-8b47-4c5e-9e03-d71b25c8f460'), ...ids, name: "Anna's old phone" },
};
export const denialClaims = {
  ...exampleClaims.Answer,
  jti: 'c48f25d0-93a7-4e1b-8c60-b1d9e7f4a236',
  decision: 'deny',
  reason: 'not_me',
};

const kid = deviceId;
export const exampleHeaders = {
  Enrolment: { alg: 'ES256', typ: 'omi-enrolment+jws', jwk: exampleKey },
  Request: { alg: 'ES256', typ: 'omi-request+jws', kid },
  Answer: { alg: 'ES256', typ: 'omi-response+jws', kid },
  PushToken: { alg: 'ES256', typ: 'omi-push-token+jws', kid },
  DeviceName: { alg: 'ES256', typ: 'omi-device-name+jws', kid },
};

export const exampleMessages = signed.messages;
const permission = 'b4e1d7f2-08c5-49a3-9e6b-25d0f7a1c384';
export const exampleRequests = {
  push: { message, nonce, expiresIn: 120 },
  pushWithDetails: {
    message: 'Pay 16.00 € to Café Zoë?',
    nonce: '5c1e7b90-4d2f-4a86-b3e8-9f60d1a7c254',
    authorizationDetails: details,
  },
  pushToRemove: {
    message: 'Remove the device “Old phone” from your account?',
    nonce: permission,
    purpose: 'remove-device',
    subjectDeviceId: deviceId,
    requestedFrom: { browser: 'Firefox on Windows', place: 'Köln', ip: '192.0.2.7' },
  },
  pushToAdd: { message: 'Add another phone to your account?', nonce: permission, purpose: 'add-device' },
  group: { message, nonce: groupNonce, members, required: 1 },
  enrolment: { userId },
  labelledEnrolment: { userId, accountLabel },
  label: { accountLabel },
  noLabel: { accountLabel: null },
  preview: { code },
  furtherEnrolment: { userId, confirmation: permission },
  record,
};
export const exampleParameters = {
  userId,
  deviceId,
  tenantId: identity.tenantId,
  nonce,
  confirmation: permission,
  enrolmentId: enrolmentIdOf(code),
  challengeId: pending.challengeId,
  category: 'public',
  from: '2026-03-02T08:00:00Z',
  to: '2026-03-02T10:00:00Z',
  hour: '2026-03-02T09:00:00Z',
  minute: '2026-03-02T09:41:00Z',
  eventId: '0199c0de-0001-7000-8000-00000000000a',
  aggregateId: userId,
  agent: userId,
  size: '3',
  cursor: '0.1772442000000-9f86d081',
  limit: '20',
  replayId: exampleReplayId,
  checkId: pending.challengeId,
  streamId: exampleStreamId,
  stream_id: exampleStreamId,
  state: 'parked',
  samples: 'true',
  before: '2026-03-02T08:00:00.000Z',
};

const exampleBrand = brandView(
  {
    ...{ tenantId: identity.tenantId, name: tenant },
    brand: { name: 'Example Bank', color: '#0a7d4f', supportUrl: 'https://bank.example/help', logo: 'svg' },
  },
  baseUrl,
);

export const exampleAnswers = {
  devices: { devices: [deviceView(describeDevice(device), device)] },
  accepted: confirmationView(pending, createdAt),
  acceptedBefore: { ...confirmationView(opened, now), repeated: true },
  acceptedWithNumber: { ...confirmationView(pending, createdAt), matchCode: '47' },
  pending: confirmationView(opened, now),
  confirmed: confirmationView(confirmed, decidedAt + 700),
  denied: confirmationView(denied, decidedAt + 700),
  expired: confirmationView(expired, createdAt + 125_000),
  groupRequested: groupView(pendingGroup, createdAt),
  groupApproved: groupView(approvedGroup, decidedAt + 700),
  enrolment: {
    enrolmentId: enrolmentIdOf(code),
    qr: qrContent('https://app.example.org', baseUrl, code),
    expiresAt: rfc3339(enrolledAt + 540_000),
  },
  enrolmentWaiting: { status: 'waiting' },
  enrolmentCompleted: {
    status: 'completed',
    device: deviceView(describeDevice(justEnrolled), justEnrolled),
  },
  enrolled: { ...identity, receipt, tenant, account: accountLabel },
  preview: {
    tenant,
    account: accountLabel,
    brand: exampleBrand,
    expiresAt: rfc3339(enrolledAt + 540_000),
    userVerification: 'off',
  },
  previewWithoutLabel: { tenant, expiresAt: rfc3339(enrolledAt + 540_000), userVerification: 'required' },
  brand: exampleBrand,
  brandlessTenant: { name: tenant },
  deviceSettings: {
    webPush: { applicationServerKey: publicKeyOf(exampleKey) },
    rpId: 'app.example.org',
    origins: ['https://app.example.org'],
  },
  providerMetadata: providerMetadata(baseUrl),
  publishedKeys: {
    keys: [
      publishedKeyView({ for: 'receipt', jwk: exampleReceiptKey, from: enrolledAt - 86_400_000 }),
      publishedKeyView({
        for: 'token',
        jwk: exampleTokenKey,
        from: enrolledAt - 86_400_000,
        until: createdAt + 86_400_000,
      }),
    ],
  },
  keySet: { keys: [exampleTokenKey] },
  authenticationRequested: { auth_req_id: authReqId, expires_in: 120, interval: 2 },
  authenticationWithNumber: { auth_req_id: authReqId, expires_in: 120, interval: 2, match_code: '47' },
  tokens: tokenResponse(
    grant,
    tokenOf('JWT', idTokenClaims(baseUrl, grant)),
    tokenOf('at+jwt', accessTokenClaims(baseUrl, grant, 'c1a5e2f0-3b7d-4d68-9e41-7f0b2d8a6c93')),
  ),
  challenges: { challenges: [challengeView(opened, now, { account: accountLabel })], push: 'on' },
  challengesWithDetails: {
    challenges: [
      challengeView({ ...opened, details: detailsText, detailsHash: messageHashOf(detailsText) }, now, {
        account: accountLabel,
      }),
    ],
    push: 'on',
  },
  challengesWithNumbers: {
    challenges: [{ ...challengeView(opened, now), matchNumbers: ['47', '08', '91'] }],
    push: 'on',
  },
  answered: { status: 'confirmed' },
  recorded: { accepted: record.events.length },
};
