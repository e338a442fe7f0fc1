/** Sizes of the items of a typical confirmation. The stores make the items, so a new field of an item counts here at once. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Item, Write } from '../../../core/aws/dynamodb-client.ts';
import { tables } from '../../../core/aws/tables.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import * as events from '../../../core/confirmations/confirmation-events.ts';
import { readContext, writeContext } from '../../../core/confirmations/context.ts';
import { type Group, groupIdOf } from '../../../core/confirmations/groups/group.ts';
import { groupEnded, groupRequested } from '../../../core/confirmations/groups/group-events.ts';
import { GroupStore } from '../../../core/confirmations/groups/group-store.ts';
import { ConfirmationStore } from '../../../core/confirmations/confirmation-store.ts';
import { DeviceStore } from '../../../core/devices/device-store.ts';
import { emptyHistory, recordOutcome, recordSent } from '../../../core/devices/push-history.ts';
import type { StateChange } from '../../../core/events/event.ts';
import { Outbox } from '../../../core/events/outbox-writer.ts';
import { targetKey } from '../../../core/export/targets/target-item.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import { stored } from './story.ts';
import { itemBytes } from './units.ts';

const uuid = '0199c0de-0003-7000-8000-000000000003';
const clientId = 'x'.repeat(26);
const usualAddress = '203.0.113.42';
const endpointArn = `arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi-production-fcm/${uuid}`;
/** The tokens of FCM have 163 characters, those of APNs 64. */
export const device = { ...stored.device, endpointArn, pushToken: 'x'.repeat(163) };
export const pending: Confirmation = { ...stored.pending, clientId, attemptId: uuid };
const { tenantId, userId, challengeId, createdAt: now, expiresAt } = pending;
const { deviceId } = device;
const { evidence = '', receipt = device.receipt, decidedAt = now } = stored.confirmed;
const answer: events.Answer = { evidence, deviceKey: device.key, receipt };

/** Collects the items of a transaction instead of writing them. */
const written: Item[] = [];
const noCalls = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
noCalls.middlewareStack.add(
  () =>
    ({ input }) => {
      const { TransactItems = [] } = input as { TransactItems?: Write[] };
      written.push(...TransactItems.map(putOf));
      return Promise.resolve({ output: { $metadata: {} }, response: {} });
    },
  { step: 'initialize', priority: 'high' },
);
const putOf = ({ Put }: Write): Item => Put?.Item ?? {};

/** What an update sets, by the names of its attributes. */
const fieldsOf = ({ Update }: Write): Item =>
  Object.fromEntries(
    Object.entries(Update?.ExpressionAttributeNames ?? {}).map(([key, name]) => [
      name,
      Update?.ExpressionAttributeValues?.[key.replace('#', ':')] as unknown,
    ]),
  );

export async function eventItem(lambda: LambdaName, change: StateChange, hostIp: string): Promise<Item> {
  const outbox = new Outbox(noCalls, 'events', { instanceId: `omi-production-${lambda}`, version: '0.1.0' });
  await outbox.commit([], [change], { now: decidedAt, origin: { traceId: 'a1B2c3D4e5F6g7h=', hostIp } });
  return written.pop() ?? {};
}

/** The events of a push and of its confirmation, as the outbox writes them, or of those that differ from the usual ones. */
async function eventsOf(asked: object = {}, answered: object = {}, hostIp = usualAddress): Promise<Item[]> {
  const its = { ...pending, ...asked };
  const ended = events.confirmationEnded(its, 'confirm', { answer: { ...answer, ...answered } });
  return [
    await eventItem('send-to-device', events.confirmationSent(its), hostIp),
    await eventItem('answer-challenge', ended, hostIp),
  ];
}
export const eventSizes = async (...others: Parameters<typeof eventsOf>): Promise<number[]> =>
  (await eventsOf(...others)).map(itemBytes);

/** The times of a user who got four pushes in the last day. */
const sentAt = [1, 2, 3].map((hour) => now - hour * 3_600_000);
const open = recordSent(
  { ...emptyHistory, hadDevice: true, sentAt },
  { challengeId, expiresAt, keys: [deviceId], now },
);
const closed = recordOutcome(open, challengeId, { end: 'confirmed', deviceId }, now);
const devices = new DeviceStore(noCalls, 'devices');
const historyBytes = (history: typeof open): number =>
  itemBytes(putOf(devices.saveHistory({ tenantId, userId }, { history, version: 4 }, history)));

const confirmations = new ConfirmationStore(noCalls, 'confirmations');
const created = putOf(confirmations.create(pending));
const opened = { ...created, openedAt: now + 5_000 };
const decision = { decidedAt, ...answer };
const decided = fieldsOf(confirmations.transition(challengeId, 'confirm', now, decision));

const receiver = {
  ...{ clientId, tenantId, url: 'https://www.example.com/omi/callback' },
  // As KMS encrypts a secret.
  secrets: [{ sealed: 'x'.repeat(280), createdAt: now }],
};

/** With usual counts, and events that once waited in both lanes. */
const position = '1'.padStart(39, '0');
const lanePositions = { '0/2': position, '1/2': position };
const target = {
  ...({ tenantId, category: 'public', state: 'active' } as const),
  ...{ stateSince: now, verifiedAt: now },
  destination: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/example-events-production',
    roleArn: 'arn:aws:iam::000000000000:role/example-events-production-writer',
    ...{ externalId: uuid, lanes: 2 },
  },
  ...{ acceptedCount: 1_234_567, deliveredCount: 1_234_567, parkedCount: 0, waitingSince: {} },
  ...{ parkedThrough: lanePositions, drainedThrough: lanePositions },
} as const;

const own = await eventsOf();
const [sentBytes = 0, confirmedBytes = 0] = own.map(itemBytes);

/** Both devices of a user are asked, or three users of whom two must confirm. */
const other = '0199c0de-0005-7000-8000-000000000005';
const shared = { ...pending, asked: [deviceId, other], fetchedBy: {} };
const openOnBoth = recordSent(
  { ...emptyHistory, hadDevice: true, sentAt },
  { challengeId, expiresAt, keys: [deviceId, other], isShared: true, now },
);
const groupId = groupIdOf({
  tenantId,
  nonce: pending.nonce ?? '',
  required: 2,
  members: [userId, other, uuid],
});
const group: Group = {
  ...{ groupId, tenantId, clientId, nonce: pending.nonce ?? '', members: [userId, other, uuid], required: 2 },
  ...{ confirmedBy: [userId, other], lostBy: [], messageHash: pending.messageHash, status: 'approved' },
  ...{ createdAt: now, decidedAt, expiresAt, attemptId: uuid },
};
const [reservation = {}, groupItem = {}] = new GroupStore(noCalls, 'confirmations').create(group).map(putOf);
const { nonce: _nonce, deviceId: _deviceId, ...asVote } = pending;
const voteContext = { userVerification: 'off', group: { id: groupId, required: 2, of: 3 } } as const;
const vote: Confirmation = {
  ...asVote,
  ...{ groupId, asked: [deviceId], fetchedBy: {} },
  ...writeContext({ ...readContext(pending.context), ...voteContext }),
};
const voteItem = putOf(confirmations.create(vote));
const eventOf = async (lambda: LambdaName, change: StateChange) =>
  itemBytes(await eventItem(lambda, change, usualAddress));

/** Bytes by kind of item. */
export const itemSizes = {
  device: itemBytes(devices.add(device).map(putOf)[0] ?? {}),
  'history, open': historyBytes(open),
  'history, closed': historyBytes(closed),
  'confirmation, pending': itemBytes(created),
  'confirmation, opened': itemBytes(opened),
  'confirmation, decided': itemBytes({ ...opened, status: 'confirmed', ...decided }),
  'event, sent': sentBytes,
  'event, confirmed': confirmedBytes,
  'history, open on two devices': historyBytes(openOnBoth),
  'confirmation, of two devices': itemBytes(putOf(confirmations.create(shared))),
  'confirmation, group': itemBytes(groupItem),
  'confirmation, nonce of a group': itemBytes(reservation),
  'confirmation, vote': itemBytes(voteItem),
  'confirmation, vote decided': itemBytes({ ...voteItem, openedAt: now, status: 'confirmed', ...decided }),
  'event, vote sent': await eventOf('request-group', events.confirmationSent(vote)),
  'event, vote confirmed': await eventOf(
    'answer-challenge',
    events.confirmationEnded({ ...vote, deviceId }, 'confirm', { answer }),
  ),
  'event, vote cancelled': await eventOf(
    'answer-challenge',
    events.confirmationEnded(vote, 'cancel', { reason: 'group_decided' }),
  ),
  'event, group requested': await eventOf('request-group', groupRequested(group)),
  'event, group approved': await eventOf('answer-challenge', groupEnded(group, 'approve')),
  /** The item exists only while the tenant is suspended, but each read of it is billed. */
  'no suspension': 0,
  client: 400,
  receiver: itemBytes(putOf(new CallbackStore(noCalls, 'tenants').registration('callback', receiver, now))),
  target: itemBytes({ ...targetKey(target), ...target }),
};
export type ItemName = keyof typeof itemSizes;

/** Bytes that the index of the events table has of each event. */
const { partitionKey, sortKey, copies } = tables.events.index;
const copied = new Set<string>(['pk', 'sk', partitionKey, sortKey, ...copies]);
export const indexedBytes = own.map((item) =>
  itemBytes(Object.fromEntries(Object.entries(item).filter(([name]) => copied.has(name)))),
);

/** Bytes of the event of an answer where the tenant wants the evidence in events. */
export const evidentBytes = (await eventSizes({ evidenceInEvents: true }))[1] ?? 0;

/** Bytes of JSON, as exported. */
export const exportedBytes = own.map(({ event }) => Buffer.byteLength(String(event)));
