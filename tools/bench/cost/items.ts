/** Sizes of the items of a typical confirmation. The stores make the items, so a new field of an item counts here at once. */
import { generateKeyPairSync } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { ConfirmationStore } from '../../../core/confirmations/confirmation-store.ts';
import { DeviceStore } from '../../../core/devices/device-store.ts';
import type { Item, Write } from '../../../core/aws/dynamodb-client.ts';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import type { Device } from '../../../core/devices/device.ts';
import { writeContext } from '../../../core/confirmations/context.ts';
import { thumbprintOf } from '../../../core/devices/device.ts';
import { toStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import { receiptClaims } from '../../../core/enrolment/receipt.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';
import { tables } from '../../../core/aws/tables.ts';
import { emptyHistory, recordOutcome, recordSent } from '../../../core/devices/push-history.ts';
import { signCompact } from '../../client/device/jws.ts';
import type { Answer } from '../../../core/confirmations/confirmation-events.ts';
import { answerTime, deviceEventItems, ownEventItems } from './own-events.ts';
import { targetBytes } from './target-item.ts';
import { itemBytes } from './units.ts';

const now = Date.UTC(2026, 0, 15, 12, 30, 15, 250);
const tenantId = '0199c0de-0001-7000-8000-000000000001';
const deviceId = '0199c0de-0002-7000-8000-000000000002';
const uuid = '0199c0de-0003-7000-8000-000000000003';
const user = { tenantId, userId: 'user-4711@example.com' };
const baseUrl = 'https://api.example.com';
const message = 'Confirm the payment of 12.50 € to Example Books.';

/** The stores only make writes here and send none. */
const noCalls = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));

const putOf = ({ Put }: Write): Item => Put?.Item ?? {};

/** What an update sets, by the names of its attributes. */
const fieldsOf = ({ Update }: Write): Item =>
  Object.fromEntries(
    Object.entries(Update?.ExpressionAttributeNames ?? {}).map(([placeholder, name]) => [
      name,
      Update?.ExpressionAttributeValues?.[placeholder.replace('#', ':')] as unknown,
    ]),
  );

const confirmations = new ConfirmationStore(noCalls, 'confirmations');
const devices = new DeviceStore(noCalls, 'devices');

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' });
const unsigned = {
  ...user,
  deviceId,
  name: "Alex's phone",
  platform: 'fcm',
  model: 'Example 9 Pro',
  osVersion: '16.1',
  appVersion: '3.14.1',
  status: 'active',
  enrolledAt: now,
  lastSeenAt: now,
  key: { kty: 'EC', crv: 'P-256', x, y },
  // The length of FCM's tokens. APNs tokens have 64 characters.
  pushToken: 'x'.repeat(163),
  endpointArn: `arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi-production-fcm/${uuid}`,
} as const;

/** Signed by any key: the size is the same. */
const receipt = signCompact({
  header: { typ: 'omi-receipt+jwt', kid: 'x'.repeat(8) },
  claims: receiptClaims(baseUrl, {
    device: unsigned,
    clientId: 'x'.repeat(26),
    isFirst: true,
    policy: 'notify',
    authorization: undefined,
  }),
  key: keys.privateKey,
});
const device: Device = { ...unsigned, receipt: toStoredJws(receipt) };

const context = writeContext({
  requester: { tenant: 'Example Bank', client: 'website' },
  userVerification: 'off',
  requestedFrom: { browser: 'Firefox on Windows', place: 'Köln' },
});

const pending: Confirmation = {
  challengeId: challengeIdOf(tenantId, 'x'.repeat(22)),
  tenantId,
  clientId: 'x'.repeat(26),
  userId: user.userId,
  deviceId,
  nonce: 'x'.repeat(22),
  message,
  messageHash: messageHashOf(message),
  expiresIn: 120,
  ...context,
  status: 'pending',
  delivery: 'sent',
  createdAt: now,
  expiresAt: now + 120_000,
  attemptId: uuid,
};

/** The device's signed answer, which stays with the confirmation as evidence. */
const evidence = signCompact({
  header: { typ: 'omi-response+jws', kid: deviceId },
  claims: {
    iat: now / 1000,
    jti: uuid,
    iss: deviceId,
    tid: tenantId,
    sub: user.userId,
    aud: baseUrl,
    jkt: thumbprintOf(device.key),
    challengeId: pending.challengeId,
    messageHash: pending.messageHash,
    contextHash: pending.contextHash,
    decision: 'confirm',
  },
  key: keys.privateKey,
});

const answer: Answer = { evidence, deviceKey: device.key, receipt: device.receipt };

/** Of a user who got four pushes in the last day. */
const sentBefore = {
  ...emptyHistory,
  hadDevice: true as const,
  sentAt: [1, 2, 3].map((hour) => now - hour * 3_600_000),
};
const open = recordSent(sentBefore, { ...pending, now });
const closed = recordOutcome(
  open,
  pending.challengeId,
  { end: 'confirmed', deviceId: pending.deviceId },
  now,
);
const historyItem = (history: typeof open): Item =>
  putOf(devices.saveHistory(user, { history, version: 4 }, history));

/** The exported text of the event. */
const jsonOf = (item: Item): string => String(item['event']);

const created = putOf(confirmations.create(pending));
const opened = { ...created, openedAt: now + 5_000 };
const decided = {
  ...opened,
  status: 'confirmed',
  ...fieldsOf(
    confirmations.transition(pending.challengeId, 'confirm', now, {
      decidedAt: now + answerTime,
      ...answer,
    }),
  ),
};
/** With one secret, as KMS encrypts it. */
const receiver = putOf(
  new CallbackStore(noCalls, 'tenants').registration(
    'callback',
    {
      clientId: pending.clientId,
      tenantId,
      url: 'https://www.example.com/omi/callback',
      secrets: [{ sealed: 'x'.repeat(280), createdAt: now }],
    },
    now,
  ),
);

const [sentEvent, confirmedEvent] = await ownEventItems(pending, answer);

/** Bytes by kind of item. */
export const itemSizes = {
  device: itemBytes(devices.add(device).map(putOf)[0] ?? {}),
  'history, open': itemBytes(historyItem(open)),
  'history, closed': itemBytes(historyItem(closed)),
  'confirmation, pending': itemBytes(created),
  'confirmation, opened': itemBytes(opened),
  'confirmation, decided': itemBytes(decided),
  'event, sent': itemBytes(sentEvent),
  'event, confirmed': itemBytes(confirmedEvent),
  /** The item exists only while the tenant is suspended, but each read of it is billed. */
  'no suspension': 0,
  /** A client's item of the tenants table. */
  client: 400,
  receiver: itemBytes(receiver),
  target: targetBytes,
} as const satisfies Record<string, number>;

/** Bytes that the index of the events table has of an item. */
export const indexedBytes = [sentEvent, confirmedEvent].map((item) => {
  const { partitionKey, sortKey, copies } = tables.events.index;
  const copied = new Set<string>(['pk', 'sk', partitionKey, sortKey, ...copies]);
  return itemBytes(Object.fromEntries(Object.entries(item).filter(([name]) => copied.has(name))));
});

export type ItemName = keyof typeof itemSizes;

/** Bytes of a confirmation's event items, for any user at any address. Its client is told of the end. */
export const eventSizesOf = async (userId: string, hostIp: string): Promise<number[]> =>
  (await ownEventItems({ ...pending, userId, notify: 'both' }, answer, hostIp)).map(itemBytes);

/** Bytes of the events of a device that is added and removed with a confirmation. */
export const deviceEventSizesOf = async (userId: string, hostIp: string): Promise<number[]> =>
  (await deviceEventItems({ ...device, userId }, pending, hostIp)).map(itemBytes);

/** Bytes of the event of a push with the longest purpose. */
export const sentWithPurpose = itemBytes(
  (
    await ownEventItems(
      { ...pending, ...writeContext({ purpose: 'remove-device', userVerification: 'off' }) },
      answer,
    )
  )[0],
);

/** Bytes of the events of a confirmation with details. */
export const eventsWithDetails = (
  await ownEventItems({ ...pending, details: '[]', detailsHash: messageHashOf('[]') }, answer)
).map(itemBytes);

/** Bytes of the event of an answer by a verified user. */
export const confirmedByVerifiedUser = itemBytes(
  (await ownEventItems(pending, { ...answer, userVerified: true }, '255.255.255.255'))[1],
);

/** Bytes of the event of an answer where the tenant wants the evidence in events. */
export const eventWithEvidence = itemBytes(
  (await ownEventItems({ ...pending, evidenceInEvents: true }, answer))[1],
);

/** Bytes of JSON, as exported. */
export const ownEventBytes = [sentEvent, confirmedEvent].map((item) => Buffer.byteLength(jsonOf(item)));

/** Number of events of a confirmation. */
export const ownEvents = ownEventBytes.length;

/** Bytes of the item of a recorded event with this many bytes of JSON. It is an own event's item with other content. */
export const recordedEventBytes = (bytes: number): number =>
  itemSizes['event, sent'] - Buffer.byteLength(jsonOf(sentEvent)) + bytes;
