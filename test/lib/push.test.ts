import { describe, expect, test } from '@jest/globals';
import { statementsFor, statementsOf } from './policies.ts';
import { environmentsOf, everyPlatform, resourcesOf, synthesize } from './synthesize.ts';

const applicationsOf = (stage: string, settings?: object) =>
  resourcesOf(synthesize(stage, settings), 'Custom::PlatformApplication');

describe('without credentials', () => {
  const template = synthesize();

  test('the stack deploys all the same, and makes no applications', () => {
    expect(resourcesOf(template, 'Custom::PlatformApplication')).toEqual([]);
    expect([...environmentsOf(template).keys()]).not.toContain('push-application');
  });

  test('no Lambda has rights in SNS or an application to push through', () => {
    const ofLambdas = ['AWS::IAM::Policy', 'AWS::Lambda::Function'].map((type) =>
      resourcesOf(template, type),
    );
    expect(JSON.stringify(ofLambdas)).not.toMatch(/sns:|_APPLICATION_ARN/);
  });
});

describe('with credentials', () => {
  const applications = applicationsOf('production', everyPlatform);

  test('there is one application a platform, under a name that is known beforehand', () => {
    expect(applications.map(([, { Properties }]) => Properties['platform']).sort()).toEqual([
      'APNS',
      'APNS_SANDBOX',
      'GCM',
    ]);
    expect(JSON.stringify(applications)).toContain(':app/GCM/omi-production');
  });

  test('the template names the secret and holds nothing of it', () => {
    for (const [, { Properties }] of applications) {
      expect(Object.keys(Properties).sort()).toEqual(
        [
          ...['ServiceToken', 'ServiceTimeout', 'applicationArn', 'platform', 'failureFeedbackRoleArn'],
          ...['secretName', 'revision'],
        ].sort(),
      );
    }
    expect(JSON.stringify(applications)).not.toContain('{{resolve:');
  });

  test('a new revision has a changed secret read again', () => {
    const renewed = applicationsOf('dev', { push: { fcm: { secretName: 'omi/fcm', revision: '2' } } });
    expect(renewed[0]?.[1].Properties['revision']).toBe('2');
  });

  test('production keeps them: the endpoint of every enrolled device goes with its application', () => {
    for (const [, application] of applications) {
      expect(application).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  test('they are made when their maker has its rights, or the first deployment would fail', () => {
    for (const [, { DependsOn }] of applications) {
      expect(DependsOn).toEqual([expect.stringContaining('pushapplicationRoleDefaultPolicy')]);
    }
  });

  test('only the platforms that have credentials are told to the Lambdas', () => {
    const template = synthesize('dev', { push: { apns: { secretName: 'omi/apns' } } });
    const names = Object.keys(environmentsOf(template).get('send-to-user') ?? {});
    expect(names.filter((name) => name.endsWith('_APPLICATION_ARN'))).toEqual(['APNS_APPLICATION_ARN']);
  });
});

describe('what a provider refuses', () => {
  const template = synthesize('production', everyPlatform);
  const platforms = ['APNS', 'APNS_SANDBOX', 'GCM'];
  const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([, { Properties }]) =>
    JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('sns.amazonaws.com'),
  );
  const roleId = roles[0]?.[0] ?? '';
  const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    JSON.stringify(Properties['LogGroupName'] ?? '').includes('/app/'),
  );

  test('is logged by SNS, by one role, which every application is told', () => {
    expect(roles).toHaveLength(1);
    for (const [, { Properties }] of resourcesOf(template, 'Custom::PlatformApplication'))
      expect(Properties['failureFeedbackRoleArn']).toEqual({ 'Fn::GetAtt': [roleId, 'Arn'] });
  });

  test('goes into a log group under the name that SNS gives it, which ends some day and goes with the stack', () => {
    const names = logGroups.map(([, { Properties }]) => Properties['LogGroupName']);
    expect(names).toHaveLength(3);
    for (const platform of platforms)
      expect(names).toContainEqual({
        'Fn::Join': [
          '',
          [
            'sns/',
            { Ref: 'AWS::Region' },
            '/',
            { Ref: 'AWS::AccountId' },
            `/app/${platform}/omi-production/Failure`,
          ],
        ],
      });
    for (const [, { Properties, DeletionPolicy }] of logGroups)
      expect([Properties['RetentionInDays'], DeletionPolicy]).toEqual([90, 'Delete']);
  });

  test('is all that the role may write', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Policy')
      .filter(([, { Properties }]) => JSON.stringify(Properties['Roles']).includes(roleId))
      .flatMap(([, policy]) => statementsOf(policy));
    const arns = logGroups.map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
    expect(statements.map(({ Action }) => Action)).toEqual(
      statements.map(() => ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents']),
    );
    expect(statements.flatMap(({ Resource }) => Resource)).toEqual(expect.arrayContaining(arns));
    expect(statements.flatMap(({ Resource }) => Resource)).toHaveLength(3);
  });

  test('is logged by a role that its maker may hand to SNS alone', () => {
    const passing = statementsFor('push-application', template).filter(({ Action }) =>
      JSON.stringify(Action).includes('PassRole'),
    );
    expect(passing).toMatchObject([
      {
        Resource: { 'Fn::GetAtt': [roleId, 'Arn'] },
        Condition: { StringEquals: { 'iam:PassedToService': 'sns.amazonaws.com' } },
      },
    ]);
  });

  test.each(platforms)('%s: rings an alarm, by the dimensions that SNS counts with', (platform) => {
    const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const metrics = alarms.flatMap(({ Metrics = [] }) => Metrics as { MetricStat?: object }[]);
    expect(metrics.map(({ MetricStat }) => MetricStat)).toContainEqual({
      Metric: {
        Namespace: 'AWS/SNS',
        MetricName: 'NumberOfNotificationsFailed',
        Dimensions: [
          { Name: 'Application', Value: 'omi-production' },
          { Name: 'Platform', Value: platform },
        ],
      },
      Period: 900,
      Stat: 'Sum',
    });
  });
});
