/**
 * The permissions of each Lambda. It needs an entry here for each table and queue that its environment names, and for no
 * other: everything else does not compile. `constructs/event-sources.ts` adds what its event source needs.
 */
import type { QueueName } from '../core/aws/queues.ts';
import type { tables } from '../core/aws/tables.ts';
import type { Environments, LambdaName } from '../lambdas/environments.ts';

/** `QueryIndex` is `Query` on only the table's index. */
type TableAction =
  | 'Scan'
  | 'QueryIndex'
  | 'GetItem'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
/** `CreatePlatformEndpoint` applies to a platform application, the others to its endpoints. */
type PushAction = 'CreatePlatformEndpoint' | 'SetEndpointAttributes' | 'DeleteEndpoint' | 'Publish';

/** For the delivery streams of this stage. */
type DeliveryStreamAction =
  | 'PutRecordBatch'
  | 'DescribeDeliveryStream'
  | 'CreateDeliveryStream'
  | 'UpdateDestination'
  | 'DeleteDeliveryStream'
  | 'TagDeliveryStream';

/** SQS requires the same permission for one message and for a batch. */
type QueueAction = 'SendMessage' | 'ChangeMessageVisibility';

type TablesOf<Name extends LambdaName> = {
  [Table in keyof typeof tables]: `${Uppercase<Table>}_TABLE` extends keyof Environments[Name]
    ? Table
    : never;
}[keyof typeof tables];

type QueuesOf<Name extends LambdaName> = {
  [Queue in QueueName]: `${Uppercase<Queue>}_QUEUE_URL` extends keyof Environments[Name] ? Queue : never;
}[QueueName];

/** What a Lambda needs of web push: the public key, the hosts of push services, or the private key. */
type WebPushPart<Name extends LambdaName> =
  | ('WEB_PUSH_PUBLIC_KEY' extends keyof Environments[Name] ? 'publicKey' : never)
  | ('WEB_PUSH_HOSTS' extends keyof Environments[Name] ? 'hosts' : never)
  | ('WEB_PUSH_SECRET_ARN' extends keyof Environments[Name] ? 'send' : never);

/** What a Lambda does with the stage's KMS keys. Its environment names the ones that it may use. */
type KmsActions = {
  SECRETS_KEY_ID: { secrets: readonly ('Encrypt' | 'Decrypt')[] };
  SIGNING_KEY_ID: { signing: readonly 'Sign'[] };
  RECEIPT_KEY_ID: { receipts: readonly 'Sign'[] };
  PUBLISHED_KEY_IDS: { published: readonly 'GetPublicKey'[] };
};

type KmsVariable<Name extends LambdaName> = Extract<keyof KmsActions, keyof Environments[Name]>;

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type KmsAccess = Partial<AllOf<KmsActions[keyof KmsActions]>>;

export type Access<Name extends LambdaName = LambdaName> = {
  tables: Record<TablesOf<Name>, readonly TableAction[]>;
} & ('FCM_APPLICATION_ARN' extends keyof Environments[Name]
  ? { push: readonly PushAction[] }
  : { push?: readonly Exclude<PushAction, 'CreatePlatformEndpoint'>[] }) &
  ([QueuesOf<Name>] extends [never]
    ? { queues?: never }
    : { queues: Record<QueuesOf<Name>, readonly QueueAction[]> }) &
  ([WebPushPart<Name>] extends [never] ? { webPush?: never } : { webPush: Record<WebPushPart<Name>, true> }) &
  ([KmsVariable<Name>] extends [never] ? { kms?: never } : { kms: AllOf<KmsActions[KmsVariable<Name>]> }) & {
    /** Assumes the roles that tenants name. They trust this Lambda's role by its name, so the name never changes. */
    tenantRoles?: 'by-external-id' | 'also-without';
    /** Also assumes the tenants' delivery roles, which are the operator's. */
    deliveryRoles?: true;
    deliveryStreams?: readonly DeliveryStreamAction[];
    /** Passes the tenants' delivery roles to Firehose. */
    passesDeliveryRoles?: true;
    /** Reads metrics of the account: CloudWatch has no permission for single ones. */
    readsMetrics?: true;
  };

const send = {
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  webPush: { hosts: true, send: true },
} as const;

const deliver = {
  tenantRoles: 'by-external-id',
  deliveryStreams: ['PutRecordBatch'],
  kms: { secrets: ['Decrypt'] },
} as const;

export const access: { [Name in LambdaName]: Access<Name> } = {
  authorize: { tables: { tenants: ['GetItem'] } },
  'list-devices': { tables: { devices: ['Query'] } },
  'remove-device': {
    tables: {
      devices: ['Query', 'PutItem', 'DeleteItem'],
      confirmations: ['GetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
    push: ['DeleteEndpoint', 'Publish'],
    webPush: { hosts: true, send: true },
  },
  'set-account-label': { tables: { devices: ['PutItem', 'UpdateItem', 'ConditionCheckItem'] } },
  'send-to-device': send,
  'send-to-user': send,
  'get-confirmation': { tables: { confirmations: ['GetItem', 'UpdateItem'], events: ['PutItem'] } },
  'withdraw-confirmation': {
    tables: {
      devices: ['GetItem', 'UpdateItem'],
      confirmations: ['GetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
  },
  'start-enrolment': {
    tables: {
      enrolments: ['BatchWriteItem', 'PutItem'],
      devices: ['Query'],
      confirmations: ['GetItem', 'UpdateItem'],
    },
  },
  'get-enrolment': { tables: { enrolments: ['GetItem'] } },
  'preview-enrolment': { tables: { enrolments: ['GetItem'], devices: ['GetItem'] } },
  'enrol-device': {
    tables: {
      enrolments: ['GetItem', 'UpdateItem'],
      devices: ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem'],
      tenants: ['GetItem'],
      events: ['PutItem'],
    },
    push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'Publish'],
    webPush: { hosts: true, send: true },
    kms: { receipts: ['Sign'] },
  },
  'list-challenges': {
    tables: { devices: ['BatchGetItem', 'UpdateItem'], confirmations: ['BatchGetItem', 'UpdateItem'] },
  },
  'answer-challenge': {
    tables: {
      devices: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      confirmations: ['BatchGetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
  },
  'refresh-push-token': {
    tables: { devices: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'DeleteEndpoint'],
    webPush: { hosts: true },
  },
  'device-settings': { tables: {}, webPush: { publicKey: true } },
  'openid-configuration': { tables: {} },
  'omi-keys': { tables: { tenants: ['Query'] } },
  'oauth-jwks': { tables: {}, kms: { published: ['GetPublicKey'] } },
  'bc-authorize': {
    ...send,
    tables: {
      ...send.tables,
      tenants: ['Query'],
    },
    kms: { secrets: ['Encrypt'] },
  },
  'oauth-token': {
    tables: { tenants: ['Query'], confirmations: ['PutItem', 'UpdateItem'], events: ['PutItem'] },
    kms: { signing: ['Sign'] },
  },
  'record-events': { tables: { events: ['BatchGetItem', 'PutItem'] } },
  'unregister-device': {
    tables: {
      devices: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
      confirmations: ['GetItem', 'UpdateItem'],
      tenants: ['GetItem'],
      events: ['PutItem'],
    },
    push: ['DeleteEndpoint', 'Publish'],
    webPush: { hosts: true, send: true },
  },
  'list-exports': { tables: { tenants: ['Query'] } },
  'get-ledger': { tables: { events: ['QueryIndex'], ledger: ['Query', 'BatchWriteItem'] } },
  'get-ledger-hour': { tables: { events: ['QueryIndex'] } },
  'test-export': {
    tables: { tenants: ['BatchGetItem', 'GetItem', 'UpdateItem'] },
    queues: { verifications: ['SendMessage'] },
  },
  'pause-export': { tables: { tenants: ['BatchGetItem', 'UpdateItem'] } },
  'resume-export': { tables: { tenants: ['BatchGetItem', 'UpdateItem'] } },
  'start-replay': {
    tables: { tenants: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
    queues: { replays: ['SendMessage'] },
  },
  'get-replay': { tables: { tenants: ['GetItem'] } },
  'release-endpoints': { tables: { devices: ['Query', 'DeleteItem'] }, push: ['DeleteEndpoint'] },
  'schedule-expiry': {
    tables: { expiries: ['BatchWriteItem'] },
    queues: { expiry: ['SendMessage'], callbacks: ['SendMessage'] },
  },
  'queue-expiries': {
    tables: { expiries: ['Query', 'BatchWriteItem'] },
    queues: { expiry: ['SendMessage'] },
  },
  'deliver-callback': {
    tables: {
      confirmations: ['GetItem', 'UpdateItem'],
      tenants: ['BatchGetItem', 'UpdateItem'],
      attempts: ['PutItem'],
    },
    queues: { callbacks: ['ChangeMessageVisibility'], retries: ['SendMessage'] },
    kms: { secrets: ['Decrypt'] },
  },
  'retry-callback': {
    tables: {
      confirmations: ['GetItem', 'UpdateItem'],
      tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      attempts: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    },
    queues: { retries: ['ChangeMessageVisibility'] },
    kms: { secrets: ['Decrypt'] },
  },
  'expire-confirmation': {
    tables: { confirmations: ['GetItem', 'UpdateItem'], events: ['PutItem'] },
    queues: { expiry: ['ChangeMessageVisibility'] },
  },
  'export-events': {
    tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
    queues: { parking: ['SendMessage'], undeliverable: ['SendMessage'], verifications: ['SendMessage'] },
    ...deliver,
  },
  'replay-events': {
    tables: { tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'], events: ['QueryIndex', 'BatchGetItem'] },
    queues: { parking: ['SendMessage'], replays: ['SendMessage', 'ChangeMessageVisibility'] },
  },
  'verify-target': {
    tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
    queues: { verifications: ['ChangeMessageVisibility'] },
    kms: { secrets: ['Decrypt'] },
    // It looks for roles that can be assumed without the external id.
    tenantRoles: 'also-without',
    deliveryRoles: true,
  },
  'report-delivery-errors': {
    tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
    queues: { verifications: ['SendMessage'] },
  },
  'watch-buckets': {
    tables: { tenants: ['Query', 'Scan', 'BatchGetItem', 'UpdateItem', 'DeleteItem'] },
    queues: { verifications: ['SendMessage'] },
    readsMetrics: true,
  },
  'schedule-verifications': {
    tables: { tenants: ['Scan'] },
    queues: { verifications: ['SendMessage'] },
  },
  'schedule-provisioning': { tables: {}, queues: { provisioning: ['SendMessage'] } },
  'provision-target': {
    tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
    queues: { provisioning: ['ChangeMessageVisibility'] },
    deliveryStreams: [
      'DescribeDeliveryStream',
      'CreateDeliveryStream',
      'UpdateDestination',
      'DeleteDeliveryStream',
      // Firehose requires it when a stream is created with tags.
      'TagDeliveryStream',
    ],
    passesDeliveryRoles: true,
  },
  'redeliver-events': {
    tables: { tenants: ['BatchGetItem', 'UpdateItem'] },
    queues: {
      parking: ['SendMessage', 'ChangeMessageVisibility'],
      undeliverable: ['SendMessage'],
      verifications: ['SendMessage'],
    },
    ...deliver,
  },
};

/** What the demo bank may do with its own table. Beside it, it reads its own secret. */
export const demoAccess: readonly TableAction[] = ['GetItem', 'PutItem', 'DeleteItem', 'Query'];
