import type { TableName } from '../../core/aws/tables.ts';
import type { Platform } from '../../core/devices/device.ts';
import type { Environments, LambdaName } from '../../lambdas/environments.ts';
import { BUFFERING, DELIVERY_STREAM_PREFIX } from '../resources/exports.ts';
import type { QueueUrls } from '../resources/queues.ts';

/** Resources of the local stack that Lambdas use. */
export type Resources = {
  baseUrl: string;
  issuer: string;
  appLink: string;
  tables: Record<TableName, string>;
  /** ARNs of the SNS platform applications. */
  applications: Record<Platform, string>;
  queues: QueueUrls;
};

/** The variables of each Lambda. Their types come from the Lambdas, so a missing variable does not compile. */
export function lambdaEnvironments(resources: Resources): { [Name in LambdaName]: Environments[Name] } {
  const { baseUrl: BASE_URL, issuer, appLink: APP_LINK, tables, applications, queues } = resources;
  const DEVICES_TABLE = tables.devices;
  const CONFIRMATIONS_TABLE = tables.confirmations;
  const ENROLMENTS_TABLE = tables.enrolments;
  const TENANTS_TABLE = tables.tenants;
  const EVENTS_TABLE = tables.events;
  const EXPIRY_QUEUE_URL = queues.expiry;
  const push = {
    FCM_APPLICATION_ARN: applications.fcm,
    APNS_APPLICATION_ARN: applications.apns,
    APNS_SANDBOX_APPLICATION_ARN: applications['apns-sandbox'],
  };
  const confirmation = { CONFIRMATIONS_TABLE, EVENTS_TABLE };
  const delivery = {
    TENANTS_TABLE,
    PARKING_QUEUE_URL: queues.parking,
    UNDELIVERABLE_QUEUE_URL: queues.undeliverable,
  };
  const verification = { TENANTS_TABLE, VERIFICATIONS_QUEUE_URL: queues.verifications };
  const send = { DEVICES_TABLE, ...confirmation, ...push };
  return {
    authorize: { TOKEN_ISSUER_KIND: 'oidc', OIDC_ISSUER: issuer, OIDC_AUDIENCE: BASE_URL, TENANTS_TABLE },
    'list-devices': { DEVICES_TABLE },
    'remove-device': { DEVICES_TABLE, ...confirmation },
    'send-to-device': send,
    'send-to-user': send,
    'get-confirmation': confirmation,
    'withdraw-confirmation': { DEVICES_TABLE, ...confirmation },
    'start-enrolment': { ENROLMENTS_TABLE, DEVICES_TABLE, CONFIRMATIONS_TABLE, BASE_URL, APP_LINK },
    'get-enrolment': { ENROLMENTS_TABLE },
    'enrol-device': { ENROLMENTS_TABLE, DEVICES_TABLE, TENANTS_TABLE, EVENTS_TABLE, BASE_URL, ...push },
    'list-challenges': { DEVICES_TABLE, CONFIRMATIONS_TABLE, BASE_URL },
    'answer-challenge': { DEVICES_TABLE, ...confirmation, BASE_URL },
    'refresh-push-token': { DEVICES_TABLE, BASE_URL, ...push },
    'unregister-device': { DEVICES_TABLE, TENANTS_TABLE, ...confirmation, BASE_URL },
    'schedule-expiry': { EXPIRY_QUEUE_URL },
    'expire-confirmation': { ...confirmation, EXPIRY_QUEUE_URL },
    'record-events': { EVENTS_TABLE },
    'export-events': delivery,
    'replay-events': {
      TENANTS_TABLE,
      EVENTS_TABLE,
      PARKING_QUEUE_URL: queues.parking,
      REPLAYS_QUEUE_URL: queues.replays,
    },
    'verify-target': verification,
    'schedule-verifications': verification,
    'release-endpoints': { DEVICES_TABLE },
    'schedule-provisioning': { PROVISIONING_QUEUE_URL: queues.provisioning },
    'provision-target': {
      TENANTS_TABLE,
      PROVISIONING_QUEUE_URL: queues.provisioning,
      DELIVERY_STREAM_PREFIX,
      DELIVERY_BUFFER_SECONDS: String(BUFFERING.seconds),
      DELIVERY_BUFFER_MEBIBYTES: String(BUFFERING.mebibytes),
    },
    // Short, so that events follow soon after a target recovers.
    'redeliver-events': { ...delivery, REDELIVERY_SHORTEST_WAIT: '1', REDELIVERY_LONGEST_WAIT: '15' },
  };
}
