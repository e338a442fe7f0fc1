import { describe, expect, test } from '@jest/globals';
import { listed, permissionsIn, type Statement, statementsFor, statementsOf } from './policies.ts';
import { everyPlatform, severalSettings } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

/** All permissions of each Lambda: the actions without their prefix, by resource. */
type Permissions = Record<string, string>;

const logging = { ownLogs: 'CreateLogStream PutLogEvents' };
const ownOf = (lambda: string) =>
  lambda === 'get-confirmation' ? logging : { ...logging, '*': 'PutTelemetryRecords PutTraceSegments' };

const send = {
  webPushKey: 'GetSecretValue',
  devices: 'DeleteItem PutItem Query UpdateItem',
  confirmations: 'GetItem PutItem UpdateItem',
  events: 'PutItem',
  applications: 'CreatePlatformEndpoint Publish SetEndpointAttributes',
  endpoints: 'Publish SetEndpointAttributes',
};

const remove = {
  webPushKey: 'GetSecretValue',
  devices: 'DeleteItem PutItem Query',
  confirmations: 'GetItem UpdateItem',
  events: 'PutItem',
  applications: 'DeleteEndpoint Publish',
  endpoints: 'DeleteEndpoint Publish',
};

const expected: Record<string, Permissions> = {
  authorize: { tenants: 'GetItem' },
  'list-devices': { devices: 'Query' },
  'remove-device': remove,
  'unregister-device': { ...remove, devices: 'BatchGetItem DeleteItem PutItem Query', tenants: 'GetItem' },
  'send-to-device': send,
  'send-to-user': send,
  'get-confirmation': { confirmations: 'GetItem UpdateItem', events: 'PutItem' },
  'withdraw-confirmation': {
    devices: 'GetItem UpdateItem',
    confirmations: 'GetItem UpdateItem',
    events: 'PutItem',
  },
  'set-account-label': { devices: 'ConditionCheckItem PutItem UpdateItem' },
  'preview-enrolment': { enrolments: 'GetItem', devices: 'GetItem', tenants: 'GetItem' },
  'get-brand': { tenants: 'GetItem' },
  'get-logo': { tenants: 'GetItem' },
  'start-enrolment': {
    enrolments: 'BatchWriteItem PutItem',
    devices: 'Query',
    confirmations: 'GetItem UpdateItem',
  },
  'get-enrolment': { enrolments: 'GetItem' },
  'enrol-device': {
    webPushKey: 'GetSecretValue',
    enrolments: 'GetItem UpdateItem',
    devices: 'ConditionCheckItem GetItem PutItem Query',
    tenants: 'GetItem',
    events: 'PutItem',
    applications: 'CreatePlatformEndpoint Publish SetEndpointAttributes',
    endpoints: 'Publish SetEndpointAttributes',
    receiptsKey: 'Sign',
  },
  'list-challenges': {
    devices: 'BatchGetItem UpdateItem',
    confirmations: 'BatchGetItem UpdateItem',
  },
  'answer-challenge': {
    devices: 'BatchGetItem PutItem UpdateItem',
    confirmations: 'BatchGetItem UpdateItem',
    events: 'PutItem',
  },
  'refresh-push-token': {
    devices: 'DeleteItem GetItem PutItem Query UpdateItem',
    applications: 'CreatePlatformEndpoint DeleteEndpoint SetEndpointAttributes',
    endpoints: 'DeleteEndpoint SetEndpointAttributes',
  },
  'list-exports': { tenants: 'Query' },
  'get-ledger': { eventsIndex: 'Query', ledger: 'BatchWriteItem Query' },
  'get-ledger-hour': { eventsIndex: 'Query' },
  'test-export': { tenants: 'BatchGetItem GetItem UpdateItem', verificationsQueue: 'SendMessage' },
  'pause-export': { tenants: 'BatchGetItem UpdateItem' },
  'resume-export': { tenants: 'BatchGetItem UpdateItem' },
  'start-replay': { tenants: 'BatchGetItem GetItem PutItem UpdateItem', replaysQueue: 'SendMessage' },
  'get-replay': { tenants: 'GetItem' },
  'record-events': { events: 'BatchGetItem PutItem', ledger: 'UpdateItem' },
  'release-endpoints': {
    devices: 'DeleteItem Query',
    applications: 'DeleteEndpoint',
    endpoints: 'DeleteEndpoint',
  },
  'schedule-expiry': {
    eventsStream: 'DescribeStream GetRecords GetShardIterator ListStreams',
    expiryQueue: 'SendMessage',
    callbacksQueue: 'SendMessage',
    failedRecords: 'ListBucket PutObject',
    expiries: 'BatchWriteItem',
  },
  'queue-expiries': { expiries: 'BatchWriteItem Query', expiryQueue: 'SendMessage' },
  'deliver-callback': {
    confirmations: 'GetItem UpdateItem',
    tenants: 'BatchGetItem UpdateItem',
    attempts: 'PutItem',
    callbacksQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    retriesQueue: 'SendMessage',
    secretsKey: 'Decrypt',
  },
  'retry-callback': {
    confirmations: 'GetItem UpdateItem',
    tenants: 'BatchGetItem GetItem UpdateItem',
    attempts: 'DeleteItem GetItem PutItem UpdateItem',
    retriesQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    secretsKey: 'Decrypt',
  },
  'expire-confirmation': {
    expiryQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    confirmations: 'GetItem UpdateItem',
    events: 'PutItem',
  },
  'export-events': {
    tenants: 'BatchGetItem UpdateItem',
    eventsStream: 'DescribeStream GetRecords GetShardIterator ListStreams',
    failedRecords: 'ListBucket PutObject',
    parkingQueue: 'SendMessage',
    undeliverableQueue: 'SendMessage',
    verificationsQueue: 'SendMessage',
    tenantRoles: 'AssumeRole',
    deliveryStreams: 'PutRecordBatch',
    secretsKey: 'Decrypt',
  },
  'replay-events': {
    tenants: 'BatchGetItem GetItem UpdateItem',
    eventsIndex: 'Query',
    events: 'BatchGetItem',
    parkingQueue: 'SendMessage',
    replaysQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
  },
  'verify-target': {
    tenants: 'BatchGetItem UpdateItem',
    verificationsQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    tenantRoles: 'AssumeRole',
    secretsKey: 'Decrypt',
  },
  'schedule-verifications': { tenants: 'Scan', verificationsQueue: 'SendMessage' },
  'schedule-provisioning': {
    tenantsStream: 'DescribeStream GetRecords GetShardIterator ListStreams',
    failedRecords: 'ListBucket PutObject',
    provisioningQueue: 'SendMessage',
  },
  'provision-target': {
    tenants: 'BatchGetItem UpdateItem',
    provisioningQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    deliveryStreams:
      'CreateDeliveryStream DeleteDeliveryStream DescribeDeliveryStream TagDeliveryStream UpdateDestination',
    deliveryRoles: 'PassRole',
  },
  'redeliver-events': {
    tenants: 'BatchGetItem UpdateItem',
    parkingQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    undeliverableQueue: 'SendMessage',
    verificationsQueue: 'SendMessage',
    tenantRoles: 'AssumeRole',
    deliveryStreams: 'PutRecordBatch',
    secretsKey: 'Decrypt',
  },
  'report-delivery-errors': { tenants: 'BatchGetItem UpdateItem', verificationsQueue: 'SendMessage' },
  'watch-buckets': {
    '*': 'GetMetricData PutTelemetryRecords PutTraceSegments',
    tenants: 'BatchGetItem DeleteItem Query Scan UpdateItem',
    verificationsQueue: 'SendMessage',
  },
  'device-settings': {},
  'openid-configuration': {},
  'omi-keys': { tenants: 'Query' },
  'oauth-jwks': { tenants: 'Query' },
  'bc-authorize': { ...send, tenants: 'Query', secretsKey: 'Encrypt' },
  'oauth-token': {
    tenants: 'Query',
    confirmations: 'PutItem UpdateItem',
    events: 'PutItem',
    signingKey: 'Sign',
  },
  'publish-keys': {
    tenants: 'PutItem Query',
    signingKey: 'GetPublicKey',
    receiptsKey: 'GetPublicKey',
  },
  'web-push-key': { webPushKey: 'GetSecretValue PutSecretValue' },
  'push-application': {
    '*': 'CreatePlatformApplication PutTelemetryRecords PutTraceSegments',
    secrets: 'GetSecretValue',
    applications: 'DeletePlatformApplication SetPlatformApplicationAttributes',
    feedbackRole: 'PassRole',
  },
  'deploy-exports-page': { pageBucket: 'ListBucket', pageFiles: 'DeleteObject PutObject' },
  'deploy-web-app': { appBucket: 'ListBucket', appFiles: 'DeleteObject PutObject' },
};

const template = synthesize('dev', everyPlatform);

function permissionsOf(statements: Statement[]): Permissions {
  const byResource = Map.groupBy(permissionsIn(statements, template), ({ resource }) => resource);
  return Object.fromEntries(
    [...byResource].map(([resource, its]) => [
      resource,
      [...new Set(its.map(({ action }) => action))].sort().join(' '),
    ]),
  );
}

describe("each Lambda's permissions", () => {
  test.each(Object.entries(expected))('are exactly those that it needs: %s', (lambda, permissions) => {
    expect(permissionsOf(statementsFor(lambda, template))).toEqual({ ...ownOf(lambda), ...permissions });
  });

  test('are in this table for every Lambda', () => {
    expect([...environmentsOf(template).keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  test("do not include AWS's managed policies, which allow whole services", () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::IAM::Role')) {
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
      expect(Properties).not.toHaveProperty('Policies');
    }
  });
});

test('a stage that keeps its data cannot delete the files of the web app', () => {
  const kept = statementsFor('deploy-web-app', synthesize('production'));
  expect(permissionsOf(kept)).toEqual({ ...ownOf('deploy-web-app'), appFiles: 'PutObject' });
});

describe('wildcards in permissions', () => {
  const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) => statementsOf(policy));

  test('appear in no action', () => {
    expect(
      statements.flatMap(({ Action }) => listed(Action)).filter((action) => action.includes('*')),
    ).toEqual([]);
  });

  test('appear only in resources that have no name at deployment', () => {
    const reasons: Record<string, RegExp> = {
      'X-Ray knows no resources': /^xray:/,
      'an application that is yet to be made has no ARN': /^sns:CreatePlatformApplication$/,
      'endpoints are made at run time': /^sns:(Publish|SetEndpointAttributes|DeleteEndpoint)$/,
      'Secrets Manager adds six characters to a name': /^secretsmanager:GetSecretValue$/,
      'CloudWatch describes alarms and reads metrics by no resource':
        /^cloudwatch:(DescribeAlarms|GetMetricData)$/,
      'a list of all functions would exceed the size of a policy':
        /^lambda:(GetAlias|UpdateAlias|GetProvisionedConcurrencyConfig)$/,
      'tenants name their roles': /^sts:AssumeRole$/,
      'delivery streams are made at run time': /^firehose:/,
      'delivery roles are made with their tenants': /^iam:PassRole$/,
      "Lambda names the objects with failed records itself; the build names the app's files":
        /^s3:PutObject$/,
      "a stage that keeps nothing deletes the app's files of every version": /^s3:DeleteObject$/,
    };
    const wild = statements.filter(({ Resource }) => /[*?]/.test(JSON.stringify(Resource)));
    const unexplained = wild
      .flatMap(({ Action }) => listed(Action))
      .filter((action) => !Object.values(reasons).some((known) => known.test(action)));
    expect(unexplained).toEqual([]);
  });
});

test("the stage's own key for tables is in no role, so that it can be switched on and off while Lambdas run", () => {
  const encrypted = synthesize('dev', severalSettings);
  const usedKeys = statementsFor('list-devices', encrypted).filter(({ Action }) =>
    listed(Action)[0]?.startsWith('kms:'),
  );
  expect(usedKeys).toEqual([]);
});
