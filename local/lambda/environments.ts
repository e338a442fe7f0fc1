import type { TableName } from '../../core/aws/tables.ts';
import type { NativePlatform } from '../../core/devices/device.ts';
import type { Environments, LambdaName } from '../../lambdas/environments.ts';
import { ACCOUNT_ID } from '../aws/identity.ts';
import { BUFFERING, DELIVERY_STREAM_PREFIX } from '../resources/exports.ts';
import { localKeys } from '../resources/kms-keys.ts';
import type { SigningKids } from '../seed/published-keys.ts';
import type { QueueUrls } from '../resources/queues.ts';

/** Resources of the local stack that Lambdas use. */
export type Resources = {
  baseUrl: string;
  /** The web app's origin: the link in QR codes leads there, and passkeys belong to it. */
  appUrl: string;
  issuer: string;
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

type Variables = { [Name in LambdaName]: Environments[Name] };

/** The variables of each Lambda. Their types come from the Lambdas, so a missing variable does not compile. */
export const lambdaEnvironments = (resources: Resources): Variables => ({
  ...confirmationEnvironments(resources),
  ...exportEnvironments(resources),
});

/** Lambdas of tokens, devices and confirmations. */
function confirmationEnvironments({
  baseUrl: BASE_URL,
  appUrl,
  issuer,
  webPushKey,
  kids,
  webPushUrl,
  tables,
  applications,
  queues,
}: Resources) {
  const DEVICES_TABLE = tables.devices;
  const CONFIRMATIONS_TABLE = tables.confirmations;
  const ENROLMENTS_TABLE = tables.enrolments;
  const TENANTS_TABLE = tables.tenants;
  const EVENTS_TABLE = tables.events;
  const EXPIRIES_TABLE = tables.expiries;
  const EXPIRY_QUEUE_URL = queues.expiry;
  const push = {
    FCM_APPLICATION_ARN: applications.fcm,
    APNS_APPLICATION_ARN: applications.apns,
    APNS_SANDBOX_APPLICATION_ARN: applications['apns-sandbox'],
  };
  // Of passkeys (WebAuthn): they are valid at the web app's origin only.
  const relyingParty = { RP_ID: new URL(appUrl).hostname, ORIGINS: appUrl };
  const pushServices = { WEB_PUSH_LOCAL_ORIGIN: new URL(webPushUrl).origin };
  const webPush = {
    ORIGINS: appUrl,
    WEB_PUSH_SECRET_ARN: webPushKey.secretId,
    WEB_PUSH_CONTACT: 'mailto:operator@omi.example',
    ...pushServices,
  };
  const confirmation = { CONFIRMATIONS_TABLE, EVENTS_TABLE };
  const callbacks = {
    CONFIRMATIONS_TABLE,
    TENANTS_TABLE,
    ATTEMPTS_TABLE: tables.attempts,
    RETRIES_QUEUE_URL: queues.retries,
    SECRETS_KEY_ID: localKeys.secrets,
    OUTBOUND_LOOPBACK: 'allowed' as const,
  };
  const send = { DEVICES_TABLE, ...confirmation, ...push, ...webPush };
  return {
    authorize: {
      TOKEN_ISSUER_KIND: 'oidc' as const,
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: BASE_URL,
      TENANTS_TABLE,
    },
    'list-devices': { DEVICES_TABLE },
    'remove-device': { DEVICES_TABLE, ...confirmation, ...webPush },
    'set-account-label': { DEVICES_TABLE },
    'send-to-device': send,
    'send-to-user': send,
    'get-confirmation': confirmation,
    'withdraw-confirmation': { DEVICES_TABLE, ...confirmation },
    'start-enrolment': { ENROLMENTS_TABLE, DEVICES_TABLE, CONFIRMATIONS_TABLE, BASE_URL, APP_LINK: appUrl },
    'get-enrolment': { ENROLMENTS_TABLE },
    'preview-enrolment': { ENROLMENTS_TABLE, DEVICES_TABLE },
    'enrol-device': {
      ENROLMENTS_TABLE,
      DEVICES_TABLE,
      TENANTS_TABLE,
      EVENTS_TABLE,
      BASE_URL,
      RECEIPT_KEY_ID: localKeys.receipts,
      RECEIPT_KID: kids.receipt,
      ...relyingParty,
      ...push,
      ...webPush,
    },
    'list-challenges': { DEVICES_TABLE, CONFIRMATIONS_TABLE, BASE_URL },
    'answer-challenge': { DEVICES_TABLE, ...confirmation, BASE_URL, ...relyingParty },
    'refresh-push-token': { DEVICES_TABLE, BASE_URL, ...push, ...pushServices },
    'unregister-device': {
      ...{ DEVICES_TABLE, TENANTS_TABLE, BASE_URL },
      ...confirmation,
      ...relyingParty,
      ...webPush,
    },
    'device-settings': { WEB_PUSH_PUBLIC_KEY: webPushKey.publicKey, ...relyingParty },
    'openid-configuration': { BASE_URL },
    'omi-keys': { TENANTS_TABLE },
    'oauth-jwks': { PUBLISHED_KEY_IDS: localKeys.signing },
    'bc-authorize': { TENANTS_TABLE, BASE_URL, SECRETS_KEY_ID: localKeys.secrets, ...send },
    'oauth-token': {
      TENANTS_TABLE,
      BASE_URL,
      SIGNING_KEY_ID: localKeys.signing,
      SIGNING_KID: kids.token,
      ...confirmation,
    },
    'release-endpoints': { DEVICES_TABLE },
    'deliver-callback': { ...callbacks, CALLBACKS_QUEUE_URL: queues.callbacks },
    'retry-callback': callbacks,
    'schedule-expiry': { EXPIRIES_TABLE, EXPIRY_QUEUE_URL, CALLBACKS_QUEUE_URL: queues.callbacks },
    'queue-expiries': { EXPIRIES_TABLE, EXPIRY_QUEUE_URL },
    'expire-confirmation': { ...confirmation, EXPIRY_QUEUE_URL },
  };
}

/** Lambdas of events and their export. */
function exportEnvironments({ tables, queues }: Resources) {
  const TENANTS_TABLE = tables.tenants;
  const EVENTS_TABLE = tables.events;
  const PARKING_QUEUE_URL = queues.parking;
  const PROVISIONING_QUEUE_URL = queues.provisioning;
  const verification = { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL: queues.verifications };
  const webhooks = { SECRETS_KEY_ID: localKeys.secrets, OUTBOUND_LOOPBACK: 'allowed' as const };
  const delivery = {
    ...verification,
    PARKING_QUEUE_URL,
    UNDELIVERABLE_QUEUE_URL: queues.undeliverable,
    ...webhooks,
  };
  const tenantView = { TENANTS_TABLE, OPERATOR_ACCOUNT: ACCOUNT_ID, OPERATOR_PARTITION: 'aws' };
  return {
    'record-events': { EVENTS_TABLE },
    'list-exports': tenantView,
    'get-ledger': { EVENTS_TABLE, LEDGER_TABLE: tables.ledger },
    'get-ledger-hour': { EVENTS_TABLE },
    'test-export': { ...tenantView, VERIFICATIONS_QUEUE_URL: queues.verifications },
    'pause-export': tenantView,
    'resume-export': tenantView,
    'start-replay': { TENANTS_TABLE, REPLAYS_QUEUE_URL: queues.replays },
    'get-replay': { TENANTS_TABLE },
    'export-events': delivery,
    // Short, so that events follow soon after a target recovers.
    'redeliver-events': { ...delivery, REDELIVERY_SHORTEST_WAIT: '1', REDELIVERY_LONGEST_WAIT: '15' },
    'replay-events': { TENANTS_TABLE, EVENTS_TABLE, PARKING_QUEUE_URL, REPLAYS_QUEUE_URL: queues.replays },
    'verify-target': { ...verification, ...webhooks },
    'schedule-verifications': verification,
    'report-delivery-errors': {
      TENANTS_TABLE,
      VERIFICATIONS_QUEUE_URL: queues.verifications,
      DELIVERY_STREAM_PREFIX,
    },
    'watch-buckets': { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL: queues.verifications },
    'schedule-provisioning': { PROVISIONING_QUEUE_URL },
    'provision-target': {
      TENANTS_TABLE,
      PROVISIONING_QUEUE_URL,
      DELIVERY_STREAM_PREFIX,
      DELIVERY_BUFFER_SECONDS: String(BUFFERING.seconds),
      DELIVERY_BUFFER_MEBIBYTES: String(BUFFERING.mebibytes),
      // The local Firehose has no quota of calls, and the start waits for these.
      DELIVERY_STREAM_CALL_INTERVAL: '0',
    },
  };
}
