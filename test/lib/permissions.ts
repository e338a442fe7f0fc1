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
  devices: 'BatchGetItem DeleteItem PutItem Query',
  confirmations: 'BatchGetItem GetItem UpdateItem',
  events: 'PutItem',
  applications: 'DeleteEndpoint Publish',
  endpoints: 'DeleteEndpoint Publish',
};

const expected: Record<string, Permissions> = {
  authorize: { tenants: 'GetItem' },
  'list-devices': { devices: 'Query' },
  'remove-device': remove,
  'unregister-device': { ...remove, tenants: 'GetItem' },
  'send-to-device': send,
  'send-to-user': send,
  'request-group': { ...send, confirmations: 'BatchGetItem GetItem PutItem UpdateItem' },
  'get-group': { confirmations: 'BatchGetItem GetItem UpdateItem', events: 'PutItem' },
  'withdraw-group': {
    devices: 'BatchGetItem PutItem',
    confirmations: 'BatchGetItem GetItem UpdateItem',
    events: 'PutItem',
  },
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
    devices: 'PutItem Query',
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
    confirmations: 'BatchGetItem GetItem UpdateItem',
  },
  'answer-challenge': {
    devices: 'BatchGetItem PutItem Query UpdateItem',
    confirmations: 'BatchGetItem GetItem UpdateItem',
    events: 'PutItem',
    applications: 'Publish',
    endpoints: 'Publish',
    webPushKey: 'GetSecretValue',
  },
  'refresh-push-token': {
    devices: 'DeleteItem GetItem PutItem Query UpdateItem',
    applications: 'CreatePlatformEndpoint DeleteEndpoint SetEndpointAttributes',
    endpoints: 'DeleteEndpoint SetEndpointAttributes',
  },
  'rename-device': { devices: 'GetItem UpdateItem' },
  'list-deliveries': { attempts: 'Query' },
  'list-exports': { tenants: 'Query' },
  'get-ledger': { eventsIndex: 'Query', ledger: 'BatchWriteItem Query' },
  'get-ledger-hour': { eventsIndex: 'Query' },
  'get-checkpoint': { log: 'GetItem UpdateItem', logKey: 'Sign' },
  'get-inclusion-proof': {
    events: 'GetItem',
    log: 'BatchGetItem GetItem Query UpdateItem',
    logKey: 'Sign',
  },
  'get-consistency-proof': { log: 'BatchGetItem GetItem' },
  'list-minutes': { log: 'GetItem Query' },
  'get-minute': { log: 'GetItem' },
  'close-minutes': {
    eventsIndex: 'Query',
    events: 'BatchGetItem PutItem',
    log: 'DeleteItem GetItem PutItem Query UpdateItem',
    logKey: 'Sign',
  },
  'test-export': { tenants: 'BatchGetItem GetItem UpdateItem', verificationsQueue: 'SendMessage' },
  'dismiss-given-up': { tenants: 'BatchGetItem UpdateItem', events: 'PutItem' },
  'pause-export': { tenants: 'BatchGetItem UpdateItem' },
  'resume-export': { tenants: 'BatchGetItem UpdateItem' },
  'send-event': {
    tenants: 'BatchGetItem GetItem PutItem UpdateItem',
    eventsIndex: 'Query',
    replaysQueue: 'SendMessage',
  },
  'start-replay': { tenants: 'BatchGetItem GetItem PutItem UpdateItem', replaysQueue: 'SendMessage' },
  'get-replay': { tenants: 'GetItem' },
  'record-events': { events: 'BatchGetItem PutItem', ledger: 'UpdateItem' },
  'authorize-exports': { tenants: 'GetItem' },
  'authorize-staff': {},
  'staff-list-tenants': { tenants: 'Scan' },
  'staff-show-tenant': { tenants: 'GetItem Scan', events: 'PutItem' },
  'staff-find-user': { tenants: 'GetItem', devices: 'Query', eventsIndex: 'Query', events: 'PutItem Query' },
  'staff-change-user': { tenants: 'GetItem', devices: 'PutItem Query', events: 'PutItem' },
  'staff-remove-device': { ...remove, tenants: 'GetItem' },
  'staff-allow-recovery': { ...send, tenants: 'GetItem', confirmations: 'PutItem UpdateItem' },
  'staff-check-caller': { ...send, tenants: 'GetItem' },
  'staff-get-check': { confirmations: 'GetItem' },
  'staff-compare-number': { confirmations: 'GetItem UpdateItem', events: 'PutItem' },
  'staff-list-exports': { tenants: 'BatchGetItem Scan' },
  'staff-steer-export': { tenants: 'BatchGetItem UpdateItem', events: 'PutItem' },
  'staff-test-export': {
    tenants: 'BatchGetItem UpdateItem',
    events: 'PutItem',
    verificationsQueue: 'SendMessage',
  },
  'staff-start-replay': {
    tenants: 'BatchGetItem GetItem PutItem UpdateItem',
    events: 'PutItem',
    replaysQueue: 'SendMessage',
  },
  'staff-get-replay': { tenants: 'GetItem' },
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
    confirmations: 'BatchGetItem GetItem UpdateItem',
    tenants: 'BatchGetItem UpdateItem',
    attempts: 'PutItem',
    callbacksQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    retriesQueue: 'SendMessage',
    secretsKey: 'Decrypt',
  },
  'retry-callback': {
    confirmations: 'BatchGetItem GetItem UpdateItem',
    tenants: 'BatchGetItem GetItem UpdateItem',
    attempts: 'DeleteItem GetItem PutItem UpdateItem',
    retriesQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    secretsKey: 'Decrypt',
  },
  'expire-confirmation': {
    expiryQueue: 'ChangeMessageVisibility DeleteMessage GetQueueAttributes ReceiveMessage',
    devices: 'BatchGetItem PutItem Query',
    confirmations: 'BatchGetItem GetItem UpdateItem',
    events: 'PutItem',
  },
  'export-events': {
    attempts: 'PutItem',
    signals: 'PutItem',
    signalsKey: 'Sign',
    log: 'PutItem',
    tenants: 'BatchGetItem Query UpdateItem',
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
    deliveryStreams: 'PutRecordBatch',
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
    attempts: 'PutItem',
    signals: 'PutItem',
    signalsKey: 'Sign',
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
  'tell-of-exports': {
    tenants: 'BatchGetItem GetItem PutItem UpdateItem',
    tenantsStream: 'DescribeStream GetRecords GetShardIterator ListStreams',
    failedRecords: 'ListBucket PutObject',
    events: 'PutItem',
    secretsKey: 'Decrypt',
    operatorBus: 'PutEvents',
    mail: 'SendEmail',
  },
  'remind-of-exports': {
    tenants: 'BatchGetItem DeleteItem GetItem PutItem Query UpdateItem',
    secretsKey: 'Decrypt',
    operatorBus: 'PutEvents',
    mail: 'SendEmail',
  },
  'device-settings': {},
  'ssf-configuration': {},
  'ssf-jwks': { signalsKey: 'GetPublicKey' },
  'create-signal-stream': { tenants: 'UpdateItem', secretsKey: 'Encrypt' },
  'list-signal-streams': { tenants: 'GetItem Query' },
  'update-signal-stream': { tenants: 'GetItem UpdateItem', secretsKey: 'Encrypt' },
  'replace-signal-stream': { tenants: 'GetItem UpdateItem', secretsKey: 'Encrypt' },
  'delete-signal-stream': { tenants: 'DeleteItem GetItem UpdateItem', signals: 'BatchWriteItem Query' },
  'get-signal-status': { tenants: 'GetItem' },
  'set-signal-status': { tenants: 'BatchGetItem GetItem UpdateItem', signals: 'BatchWriteItem Query' },
  'verify-signal-stream': { tenants: 'GetItem UpdateItem', parkingQueue: 'SendMessage' },
  'poll-signals': { tenants: 'GetItem', signals: 'BatchWriteItem Query UpdateItem' },
  'describe-problem': {},
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
    logKey: 'GetPublicKey',
  },
  'web-push-key': { webPushKey: 'GetSecretValue PutSecretValue' },
  'push-application': {
    '*': 'CreatePlatformApplication PutTelemetryRecords PutTraceSegments',
    secrets: 'GetSecretValue',
    applications: 'DeletePlatformApplication SetPlatformApplicationAttributes',
    feedbackRole: 'PassRole',
  },
  'deploy-console': { consoleBucket: 'ListBucket', consoleFiles: 'DeleteObject PutObject' },
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
