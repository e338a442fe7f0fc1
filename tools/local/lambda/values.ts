import type { TableName } from '../../../core/aws/tables.ts';
import type { NativePlatform } from '../../../core/devices/device.ts';
import type { Values } from '../../../lambdas/registered.ts';
import { accountId, region } from '../aws/identity.ts';
import { buffering, deliveryStreamPrefix } from '../resources/exports.ts';
import { localKeys } from '../resources/kms-keys.ts';
import type { SigningKids } from '../seed/published-keys.ts';
import type { QueueUrls } from '../resources/queues.ts';

/** Resources of the local stack that Lambdas use. */
export type Resources = {
  baseUrl: string;
  formerBaseUrls?: readonly string[] | undefined;
  /** The web app's origin: the link in QR codes leads there, and passkeys belong to it. */
  appUrl: string;
  /** The tenants' page. */
  exportsUrl: string;
  issuer: string;
  /** The issuer of tokens for members of staff, and its clients. */
  staff: { issuer: string; clientId: string; exportsClientId: string };
  /** VAPID public key, and the secret with the private one. */
  webPushKey: { publicKey: string; secretId: string };
  /** Names of the keys that sign, among the published keys. */
  kids: SigningKids;
  /** The local push service of browsers. */
  webPushUrl: string;
  tables: Record<TableName, string>;
  /** ARNs of the SNS platform applications. */
  applications: Record<NativePlatform, string>;
  queues: QueueUrls;
};

/** The value of each variable, the same for all Lambdas that read it. */
export const valuesOf = ({
  baseUrl,
  formerBaseUrls,
  appUrl,
  exportsUrl,
  issuer,
  staff,
  webPushKey,
  kids,
  webPushUrl,
  tables,
  applications,
  queues,
}: Resources): Values => ({
  TOKEN_ISSUER_KIND: 'oidc',
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: baseUrl,
  STAFF_ISSUER_KIND: 'oidc',
  STAFF_ISSUER: staff.issuer,
  STAFF_CLIENT_ID: staff.clientId,
  EXPORTS_CLIENT_ID: staff.exportsClientId,
  STAFF_GROUPS_CLAIM: 'groups',
  BASE_URL: baseUrl,
  FORMER_BASE_URLS: formerBaseUrls?.join(','),
  EXPORTS_URL: exportsUrl,
  APP_LINK: appUrl,
  // The RP ID of passkeys (WebAuthn): they are valid at the web app's origin only.
  RP_ID: new URL(appUrl).hostname,
  ORIGINS: appUrl,
  DEVICES_TABLE: tables.devices,
  CONFIRMATIONS_TABLE: tables.confirmations,
  ENROLMENTS_TABLE: tables.enrolments,
  TENANTS_TABLE: tables.tenants,
  EVENTS_TABLE: tables.events,
  EXPIRIES_TABLE: tables.expiries,
  ATTEMPTS_TABLE: tables.attempts,
  LEDGER_TABLE: tables.ledger,
  SIGNALS_TABLE: tables.signals,
  LOG_TABLE: tables.log,
  EXPIRY_QUEUE_URL: queues.expiry,
  CALLBACKS_QUEUE_URL: queues.callbacks,
  RETRIES_QUEUE_URL: queues.retries,
  PARKING_QUEUE_URL: queues.parking,
  UNDELIVERABLE_QUEUE_URL: queues.undeliverable,
  REPLAYS_QUEUE_URL: queues.replays,
  VERIFICATIONS_QUEUE_URL: queues.verifications,
  PROVISIONING_QUEUE_URL: queues.provisioning,
  FCM_APPLICATION_ARN: applications.fcm,
  APNS_APPLICATION_ARN: applications.apns,
  APNS_SANDBOX_APPLICATION_ARN: applications['apns-sandbox'],
  WEB_PUSH_PUBLIC_KEY: webPushKey.publicKey,
  WEB_PUSH_SECRET_ARN: webPushKey.secretId,
  WEB_PUSH_CONTACT: 'mailto:operator@omi.example',
  WEB_PUSH_LOCAL_ORIGIN: new URL(webPushUrl).origin,
  SECRETS_KEY_ID: localKeys.secrets,
  SIGNING_KEY_ID: localKeys.signing,
  SIGNING_KID: kids.token,
  RECEIPT_KEY_ID: localKeys.receipts,
  RECEIPT_KID: kids.receipt,
  SIGNAL_KEY_IDS: localKeys.signals,
  LOG_KEY_ID: localKeys.log,
  LOG_KID: kids.log,
  OUTBOUND_LOOPBACK: 'allowed',
  MAIL_FROM: 'omi@operator.example',
  OPERATOR_ACCOUNT: accountId,
  OPERATOR_PARTITION: 'aws',
  OPERATOR_REGION: region,
  // Short, so that events follow soon after a target recovers.
  REDELIVERY_SHORTEST_WAIT: '1',
  REDELIVERY_LONGEST_WAIT: '15',
  // Short, as minutes of the local clocks are.
  NOTICE_PATIENCE: '5',
  DELIVERY_STREAM_PREFIX: deliveryStreamPrefix,
  DELIVERY_BUFFER_SECONDS: String(buffering.seconds),
  DELIVERY_BUFFER_MEBIBYTES: String(buffering.mebibytes),
  // The local Firehose has no quota of calls, and the start waits for these.
  DELIVERY_STREAM_CALL_INTERVAL: '0',
  // The local index is never behind.
  REPLAY_INDEX_DELAY: '0',
});
