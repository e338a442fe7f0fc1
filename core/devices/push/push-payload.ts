import type { NativePlatform } from '../device.ts';

/** A push that informs and has no challenge. */
export type Notice = 'device-added' | 'device-removed';

/** `alert` is the text on the lock screen: the message, or the tenant's generic text. Never the nonce. */
type Shown = {
  /** Who asks. Apps from a store show their own name. */
  title: string;
  alert: string;
  lifetimeSeconds: number;
};
export type ChallengePush = Shown & {
  challengeId: string;
  expiresAt: string;
  /** A notification must not offer to confirm: it does not show all that is asked, or the user has to do more. */
  inApp?: true;
};
/** `deviceId` is the device that was added or removed. */
export type ChangePush = Shown & { notice: Notice; deviceId: string };
/** Replaces the notification of a challenge that another device answered. */
export type AnsweredPush = Shown & { notice: 'answered'; challengeId: string };
export type NoticePush = ChangePush | AnsweredPush;
export type PushContent = ChallengePush | NoticePush;

/** The title where no tenant asked: an operator removed the device, or the tenant is deleted. */
export const unnamed = 'OMI';

/** A push replaces an earlier one with the same tag. At most 64 bytes. */
export const tagOf = (content: PushContent): string =>
  'challengeId' in content ? content.challengeId : `${content.notice}:${content.deviceId}`;

/** The data that the app gets and the lock screen does not show. */
export const dataOf = (content: PushContent): Record<string, string> =>
  'expiresAt' in content
    ? { challengeId: content.challengeId, expiresAt: content.expiresAt }
    : { notice: content.notice, ...subjectOf(content) };

const subjectOf = (content: NoticePush): Record<string, string> =>
  'challengeId' in content ? { challengeId: content.challengeId } : { deviceId: content.deviceId };

/** An attribute of an SNS message. */
type Attribute = { DataType: 'String'; StringValue: string };

const text = (value: string | number): Attribute => ({
  DataType: 'String',
  StringValue: String(value),
});

/**
 * FCM HTTP v1 message (https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-v1-payloads.html). A notification replaces the
 * one with the same `tag`. It has no `collapse_key`: FCM keeps only four of them for a device.
 */
const fcm = (content: PushContent) => ({
  fcmV1Message: {
    message: {
      notification: { body: content.alert },
      data: dataOf(content),
      android: {
        priority: 'high',
        ttl: `${content.lifetimeSeconds}s`,
        notification: { tag: tagOf(content) },
      },
    },
  },
});

/** APNs payload; `time-sensitive` shows it through a focus mode, as the user waits in front of a website. */
const apns = (content: PushContent) => ({
  aps: { alert: { body: content.alert }, sound: 'default', 'interruption-level': 'time-sensitive' },
  ...dataOf(content),
});

const forms = {
  fcm: { key: 'GCM', ttl: 'FCM', payload: fcm },
  apns: { key: 'APNS', ttl: 'APNS', payload: apns },
  'apns-sandbox': { key: 'APNS_SANDBOX', ttl: 'APNS_SANDBOX', payload: apns },
} as const;

/** The SNS message of a push. Attributes contain no user text, because they do not allow surrogates. */
export function pushNotification(platform: NativePlatform, content: PushContent) {
  const { key, ttl, payload } = forms[platform];
  const apple = platform !== 'fcm';
  return {
    MessageStructure: 'json',
    Message: JSON.stringify({ [key]: JSON.stringify(payload(content)) }),
    MessageAttributes: {
      [`AWS.SNS.MOBILE.${ttl}.TTL`]: text(content.lifetimeSeconds),
      ...(apple && { 'AWS.SNS.MOBILE.APNS.PUSH_TYPE': text('alert') }),
      ...(apple && { 'AWS.SNS.MOBILE.APNS.PRIORITY': text(10) }),
      // `apns-collapse-id`, at most 64 bytes: a notification replaces the one with the same id.
      ...(apple && { 'AWS.SNS.MOBILE.APNS.COLLAPSE_ID': text(tagOf(content)) }),
    },
  };
}
