import { describe, expect, test } from '@jest/globals';
import { environmentsOf, everyPlatform, type Resource, resourcesOf, synthesize } from './synthesize.ts';

/** What each Lambda may do, whole: by resource, the actions without their prefix. */
type Permissions = Record<string, string>;

const own = { ownLogs: 'CreateLogStream PutLogEvents', '*': 'PutTelemetryRecords PutTraceSegments' };

const send = {
  devices: 'DeleteItem PutItem Query UpdateItem',
  confirmations: 'GetItem PutItem UpdateItem',
  events: 'PutItem',
  applications: 'CreatePlatformEndpoint Publish SetEndpointAttributes',
  endpoints: 'CreatePlatformEndpoint Publish SetEndpointAttributes',
};

const remove = {
  devices: 'DeleteItem PutItem Query',
  confirmations: 'GetItem UpdateItem',
  events: 'PutItem',
  applications: 'DeleteEndpoint',
  endpoints: 'DeleteEndpoint',
};

const expected: Record<string, Permissions> = {
  authorize: { tenants: 'GetItem' },
  'list-devices': { devices: 'Query' },
  'remove-device': remove,
  'unregister-device': { ...remove, devices: 'BatchGetItem DeleteItem PutItem Query' },
  'send-to-device': send,
  'send-to-user': send,
  'get-confirmation': { confirmations: 'GetItem UpdateItem', events: 'PutItem' },
  'start-enrolment': { enrolments: 'PutItem' },
  'get-enrolment': { enrolments: 'GetItem' },
  'enrol-device': {
    enrolments: 'GetItem UpdateItem',
    devices: 'PutItem Query',
    events: 'PutItem',
    applications: 'CreatePlatformEndpoint SetEndpointAttributes',
    endpoints: 'CreatePlatformEndpoint SetEndpointAttributes',
  },
  'list-challenges': {
    devices: 'BatchGetItem UpdateItem',
    confirmations: 'UpdateItem',
  },
  'answer-challenge': {
    devices: 'BatchGetItem PutItem',
    confirmations: 'BatchGetItem UpdateItem',
    events: 'PutItem',
  },
  'refresh-push-token': {
    devices: 'DeleteItem GetItem PutItem Query',
    applications: 'CreatePlatformEndpoint DeleteEndpoint SetEndpointAttributes',
    endpoints: 'CreatePlatformEndpoint DeleteEndpoint SetEndpointAttributes',
  },
  'push-application': {
    '*': 'CreatePlatformApplication PutTelemetryRecords PutTraceSegments',
    secrets: 'GetSecretValue',
    applications: 'DeletePlatformApplication SetPlatformApplicationAttributes',
  },
};

const template = synthesize('dev', everyPlatform);

type Statement = { Action: string | string[]; Resource: unknown };

/** Names a resource as the table above does. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  if (resource === '*') return '*';
  if (/"Fn::GetAtt":\["\w*Logs\w{8}","Arn"\]/.test(text)) return 'ownLogs';
  if (text.includes(':endpoint/')) return 'endpoints';
  if (text.includes(':secret:')) return 'secrets';
  if (/:app\/|"Ref":"Push/.test(text)) return 'applications';
  return /"Fn::GetAtt":\["Data([a-z]+)\w{8}","Arn"\]/.exec(text)?.[1] ?? text;
}

const listed = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

function permissionsOf(statements: Statement[]): Permissions {
  const found = new Map<string, Set<string>>();
  for (const { Action, Resource } of statements) {
    for (const name of listed(Resource).map(nameOf)) {
      const actions = found.get(name) ?? found.set(name, new Set()).get(name);
      for (const action of listed(Action)) actions?.add(action.replace(/^\w+:/, ''));
    }
  }
  return Object.fromEntries([...found].map(([name, actions]) => [name, [...actions].sort().join(' ')]));
}

const rolesOf = ({ Properties }: Resource): string[] =>
  (Properties['Roles'] as { Ref: string }[]).map(({ Ref }) => Ref);

const statementsOf = ({ Properties }: Resource): Statement[] =>
  (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement;

/** What the policies of the Lambda's role allow. */
function allowed(lambda: string, from = template): Statement[] {
  const found = resourcesOf(from, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties['Description'] === `OMI: ${lambda}`,
  );
  const role = found?.[1].Properties['Role'] as { 'Fn::GetAtt': [string] } | undefined;
  return resourcesOf(from, 'AWS::IAM::Policy')
    .filter(([, policy]) => rolesOf(policy).includes(role?.['Fn::GetAtt'][0] ?? ''))
    .flatMap(([, policy]) => statementsOf(policy));
}

describe('a Lambda that is broken into can do no more than its work', () => {
  test.each(Object.entries(expected))('%s', (lambda, permissions) => {
    expect(permissionsOf(allowed(lambda))).toEqual({ ...own, ...permissions });
  });

  test('every Lambda is in this table', () => {
    expect([...environmentsOf(template).keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  test('no role has a policy that AWS writes: those name whole services', () => {
    for (const [, { Properties }] of resourcesOf(template, 'AWS::IAM::Role')) {
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
      expect(Properties).not.toHaveProperty('Policies');
    }
  });
});

describe('wildcards', () => {
  const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) => statementsOf(policy));

  test('no action is one', () => {
    expect(
      statements.flatMap(({ Action }) => listed(Action)).filter((action) => action.includes('*')),
    ).toEqual([]);
  });

  test('resources are those that cannot be named, and no others', () => {
    const reasons: Record<string, RegExp> = {
      'X-Ray knows no resources': /^xray:/,
      'an application that is yet to be made has no ARN': /^sns:CreatePlatformApplication$/,
      'endpoints are made at run time':
        /^sns:(Publish|CreatePlatformEndpoint|SetEndpointAttributes|DeleteEndpoint)$/,
      'Secrets Manager adds six characters to a name': /^secretsmanager:GetSecretValue$/,
    };
    const wild = statements.filter(({ Resource }) => /[*?]/.test(JSON.stringify(Resource)));
    const unexplained = wild
      .flatMap(({ Action }) => listed(Action))
      .filter((action) => !Object.values(reasons).some((known) => known.test(action)));
    expect(unexplained).toEqual([]);
  });
});

describe("with a key of the stage's own", () => {
  test('the Lambdas may use it, through DynamoDB alone', () => {
    const encrypted = synthesize('dev', { data: { customerManagedKey: true } });
    const [statement, ...others] = allowed('list-devices', encrypted).filter(({ Action }) =>
      listed(Action)[0]?.startsWith('kms:'),
    );
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Action: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:Encrypt',
        'kms:GenerateDataKey',
        'kms:ReEncryptFrom',
        'kms:ReEncryptTo',
      ],
      Condition: {
        StringEquals: {
          'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
        },
      },
    });
  });
});
