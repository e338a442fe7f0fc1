import { readContext } from './context.ts';
import type { DeviceKey } from '../devices/device-key.ts';
import { fromStoredJws, type StoredJws } from '../devices/protocol/stored-jws.ts';
import type { MatchNumbers } from './number-matching.ts';
import { deviceOfKey, openKey } from '../devices/push-history.ts';
import { unnamed } from '../devices/push/push-payload.ts';
import type { OwnPublicType } from '../events/own-events.ts';
import { retention } from '../kernel/retention.ts';
import { minutes, rfc3339, seconds } from '../kernel/time.ts';

/** Whether a question goes to one device of the user, or to all of them. */
export const whichDevices = ['one', 'all'] as const;
export type WhichDevices = (typeof whichDevices)[number];

export type Status = 'pending' | 'confirmed' | 'denied' | 'expired' | 'cancelled' | 'failed';
export type Delivery = 'sent' | 'failed' | 'unreachable';

/**
 * The state machine. Every transition starts at `pending`; the other states are final. `allowed` says on which side of
 * `expiresAt` a transition is possible, so an answer and the expiry exclude each other. The store turns a row into the
 * condition of one write, and a test compares the rows with the table in docs/architecture.md.
 */
export const transitions = {
  confirm: {
    from: 'pending',
    allowed: 'before-expiry',
    to: 'confirmed',
    reasons: [],
    event: 'PushNotificationConfirmedEvent',
  },
  deny: {
    from: 'pending',
    allowed: 'before-expiry',
    to: 'denied',
    reasons: ['user_declined', 'not_me'],
    event: 'PushNotificationDeniedEvent',
  },
  fail: {
    from: 'pending',
    allowed: 'before-expiry',
    to: 'failed',
    reasons: ['wrong_number', 'too_many_bad_responses'],
    event: 'PushNotificationFailedEvent',
  },
  cancel: {
    from: 'pending',
    allowed: 'before-expiry',
    to: 'cancelled',
    reasons: ['device_removed', 'withdrawn', 'group_decided'],
    event: 'PushNotificationCancelledEvent',
  },
  expire: {
    from: 'pending',
    allowed: 'after-expiry',
    to: 'expired',
    reasons: [],
    event: 'PushNotificationExpiredEvent',
  },
} as const satisfies Record<
  string,
  {
    from: Status;
    allowed: 'before-expiry' | 'after-expiry';
    to: Status;
    reasons: readonly string[];
    event: OwnPublicType;
  }
>;

export type Transition = keyof typeof transitions;
/** Why a vote failed from the start: its member has no device, or may not be asked now. */
const unreachable = 'not_reachable';
export type Reason = (typeof transitions)[Transition]['reasons'][number] | typeof unreachable;

/** How the client is notified of the end: by a callback, a CIBA ping, or both. */
export type Notify = 'callback' | 'ping' | 'both';

/** What a confirmation has more if an OpenID Connect client asked for it by CIBA. */
export type CibaState = {
  /** The scope of the access token. */
  scope: string;
  /** How long the client must wait between polls. Each poll that comes too soon makes it longer. */
  interval: number;
  polledAt?: number;
  nextPollAt?: number;
  /** When the tokens were issued, which happens once, and the id of the request that got them. */
  redeemedAt?: number;
  redeemedBy?: string;
};

/** A device's request for its challenges. `call` recognises the write of this very call, if its answer was lost. */
export type Fetch = { issuedAt: number; jwsHash: string; call: string };

/** A number that a caller reads out, how often it was compared, and when it was the same. */
export type SpokenNumber = { number: string; tries: number; matchedAt?: number };

/** Times in milliseconds since 1970. */
export type Confirmation = {
  challengeId: string;
  tenantId: string;
  clientId: string;
  userId: string;
  /** The device that is asked, or that answered. Absent while several are asked. */
  deviceId?: string;
  /** Which of the device's open confirmations it is in the user's push history. Absent: the first. */
  slot?: number;
  /** If all devices are asked: the question's keys in the user's push history, one for each device; see {@link openKey}. */
  asked?: string[];
  /** It is a member's vote in this group: without a nonce, and of no endpoint but those of groups. */
  groupId?: string;
  /** The tenant's setting when the group was asked: the member sees the votes of the others. */
  showVotes?: true;
  /** Absent for CIBA, whose `auth_req_id` is the nonce, of which only the hash is kept; and for votes. */
  nonce?: string;
  ciba?: CibaState;
  /** How its client is notified of the end. Absent: the client polls. */
  notify?: Notify;
  /** What a CIBA ping needs, sealed. Removed once it was sent, or is useless. */
  ping?: string;
  message: string;
  messageHash: string;
  /** Seconds, as requested. */
  expiresIn: number;
  /** The text of {@link Context}, which the device shows, and the hash that it signs. */
  context: string;
  contextHash: string;
  /** The text of the authorization details that the device shows, and the hash that it signs; both or none. */
  details?: string;
  detailsHash?: string;
  /** Where the app leads the user back to, after the answer. It is not signed. */
  returnTo?: string;
  status: Status;
  reason?: Reason;
  delivery: Delivery;
  createdAt: number;
  openedAt?: number;
  /** The device's newest request that got the challenge, as far as one is written: see {@link isReplay}. */
  fetched?: Fetch;
  /** The same of a question to all devices, by their ids: each has its own clock. */
  fetchedBy?: Record<string, Fetch>;
  decidedAt?: number;
  expiresAt: number;
  matchNumbers?: MatchNumbers;
  /** The number by which the help desk recognises a caller. */
  spoken?: SpokenNumber;
  /** The tenant's setting when the website asked: the event of the answer has the evidence, too. */
  evidenceInEvents?: true;
  /** The device's signed answer. */
  evidence?: string;
  /** Verifies the evidence, also after the device was removed. */
  deviceKey?: DeviceKey;
  /** The receipt of the device's enrolment, which vouches for the key. */
  receipt?: StoredJws;
  /** The answer has a valid assertion of the device's passkey, which `passkeyKey` verifies. */
  userVerified?: true;
  passkeyKey?: DeviceKey;
  /** The id of the enrolment or device whose change this confirmation authorized. */
  usedFor?: string;
  /** Id of the request that created it. A retry after a lost response recognises its own write by this id. */
  attemptId: string;
};

/** One more answer with a wrong hash of what was shown ends the confirmation. */
export const mismatchesAllowed = 2;

/** From then on DynamoDB may delete the item at any time, so the service treats it as deleted. */
export const retainedUntil = (confirmation: Pick<Confirmation, 'expiresAt'>): number =>
  confirmation.expiresAt + retention.confirmation;

/** How long the tokens of a request by CIBA that was decided in time can be fetched. */
export const redeemableUntil = ({ expiresAt }: Pick<Confirmation, 'expiresAt'>): number =>
  expiresAt + 10 * minutes;

export const isExpiryDue = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: number): boolean =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt;

/** The devices that may answer. */
export const askedDevices = ({ asked, deviceId }: Pick<Confirmation, 'asked' | 'deviceId'>): string[] =>
  asked?.map(deviceOfKey) ?? (deviceId === undefined ? [] : [deviceId]);

/** Where the confirmation is open in the user's push history. */
export const openKeys = ({ asked, deviceId, slot }: Confirmation): string[] =>
  asked ?? (deviceId === undefined ? [] : [openKey(deviceId, slot)]);

/** Computes `expired`, which therefore never waits for the write of the expiry. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: number): Status =>
  isExpiryDue(confirmation, now) ? 'expired' : confirmation.status;

const freshFor = 30 * seconds;

/** Seconds between polls: short while the user is likely to answer. */
export const pollInterval = (confirmation: Pick<Confirmation, 'createdAt'>, now: number): 1 | 2 =>
  now - confirmation.createdAt < freshFor ? 1 : 2;

/** `Confirmation` of the API. Only the response to a POST adds `matchCode` and `repeated`. */
export const confirmationView = (confirmation: Confirmation, now: number) => ({
  ...(confirmation.nonce !== undefined && { nonce: confirmation.nonce }),
  challengeId: confirmation.challengeId,
  tenantId: confirmation.tenantId,
  userId: confirmation.userId,
  ...(confirmation.deviceId !== undefined && { deviceId: confirmation.deviceId }),
  ...(confirmation.asked && { deviceIds: askedDevices(confirmation) }),
  messageHash: confirmation.messageHash,
  ...(confirmation.detailsHash !== undefined && { detailsHash: confirmation.detailsHash }),
  context: confirmation.context,
  contextHash: confirmation.contextHash,
  status: statusAt(confirmation, now),
  ...(confirmation.reason && { reason: confirmation.reason }),
  delivery: confirmation.delivery,
  createdAt: rfc3339(confirmation.createdAt),
  ...(confirmation.openedAt !== undefined && { openedAt: rfc3339(confirmation.openedAt) }),
  ...(confirmation.decidedAt !== undefined && { decidedAt: rfc3339(confirmation.decidedAt) }),
  expiresAt: rfc3339(confirmation.expiresAt),
  interval: pollInterval(confirmation, now),
  userVerified: confirmation.userVerified ?? false,
  ...(confirmation.evidence && { evidence: confirmation.evidence }),
  ...(confirmation.deviceKey && { deviceKey: confirmation.deviceKey }),
  ...(confirmation.receipt && { receipt: fromStoredJws(confirmation.receipt) }),
  ...(confirmation.passkeyKey && { passkeyKey: confirmation.passkeyKey }),
});

const detailsView = ({ details, detailsHash }: Confirmation) =>
  details !== undefined && detailsHash !== undefined && { details, detailsHash };

/** How many members have confirmed, and the labels of those who have one. It changes with each vote, so nobody signs it. */
export type ShownVotes = { confirmed: number; confirmedBy: string[] };

/**
 * `Challenge` of the device API. It never says which number is the right one.
 *
 * @param account the user's current label
 * @param votes of the other members of the group, if the device may show them
 */
export const challengeView = (
  confirmation: Confirmation,
  now: number,
  { account, votes }: { account?: string | undefined; votes?: ShownVotes | undefined } = {},
) => ({
  challengeId: confirmation.challengeId,
  tenant: readContext(confirmation.context).requester?.tenant ?? unnamed,
  ...(account !== undefined && { account }),
  message: confirmation.message,
  messageHash: confirmation.messageHash,
  ...detailsView(confirmation),
  context: confirmation.context,
  contextHash: confirmation.contextHash,
  createdAt: rfc3339(confirmation.createdAt),
  expiresAt: rfc3339(confirmation.expiresAt),
  expiresInMs: confirmation.expiresAt - now,
  ...(votes && { votes }),
  ...(confirmation.returnTo !== undefined && { returnTo: confirmation.returnTo }),
  ...(confirmation.matchNumbers?.choices && { matchNumbers: confirmation.matchNumbers.choices }),
  ...(confirmation.matchNumbers && !confirmation.matchNumbers.choices && { typedNumber: true }),
});
