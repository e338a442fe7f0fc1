import { describe, expect, test } from '@jest/globals';
import { statementsFor, statementsOf } from './policies.ts';
import { everyPlatform, severalSettings } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

const applicationsOf = (stage: string, settings?: object) =>
  resourcesOf(synthesize(stage, settings), 'Custom::PlatformApplication');

describe('a stack without push credentials', () => {
  const template = synthesize();

  test('creates no platform applications', () => {
    expect(resourcesOf(template, 'Custom::PlatformApplication')).toEqual([]);
    expect([...environmentsOf(template).keys()]).not.toContain('push-application');
  });

  test('gives no Lambda permissions in SNS or the ARN of an application', () => {
    const ofLambdas = ['AWS::IAM::Policy', 'AWS::Lambda::Function'].map((type) =>
      resourcesOf(template, type),
    );
    expect(JSON.stringify(ofLambdas)).not.toMatch(/sns:|_APPLICATION_ARN/);
  });
});

describe('a stack with push credentials', () => {
  const applications = applicationsOf('production', everyPlatform);

  test('has one application for each platform, with a name that is known before the deployment', () => {
    expect(applications.map(([, { Properties }]) => Properties['platform']).sort()).toEqual([
      'APNS',
      'APNS_SANDBOX',
      'GCM',
    ]);
    expect(JSON.stringify(applications)).toContain(':app/GCM/omi-production');
  });

  test('contains the name of the secret and no part of its value', () => {
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

  test('reads the secret again with a new revision', () => {
    const renewed = applicationsOf('dev', severalSettings);
    expect(renewed[0]?.[1].Properties['revision']).toBe('2');
  });

  test('retains the applications in production, because their endpoints would be deleted with them', () => {
    for (const [, application] of applications) {
      expect(application).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  test('creates them after their Lambda has its permissions, or the first deployment would fail', () => {
    for (const [, { DependsOn }] of applications) {
      expect(DependsOn).toEqual([expect.stringContaining('pushapplicationRoleDefaultPolicy')]);
    }
  });

  test('gives the Lambdas only the platforms that have credentials', () => {
    const template = synthesize('dev', severalSettings);
    const names = Object.keys(environmentsOf(template).get('send-to-user') ?? {});
    expect(names.filter((name) => name.endsWith('_APPLICATION_ARN'))).toEqual(['APNS_APPLICATION_ARN']);
  });
});

describe('a push that a provider rejects', () => {
  const template = synthesize('production', everyPlatform);
  const platforms = ['APNS', 'APNS_SANDBOX', 'GCM'];
  const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([, { Properties }]) =>
    JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('sns.amazonaws.com'),
  );
  const roleId = roles[0]?.[0] ?? '';
  const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup').filter(([, { Properties }]) =>
    JSON.stringify(Properties['LogGroupName'] ?? '').includes('/app/'),
  );

  test('is logged by SNS with the same role for every application', () => {
    expect(roles).toHaveLength(1);
    for (const [, { Properties }] of resourcesOf(template, 'Custom::PlatformApplication'))
      expect(Properties['failureFeedbackRoleArn']).toEqual({ 'Fn::GetAtt': [roleId, 'Arn'] });
  });

  test('is in a log group with the name that SNS uses, a retention period, and the life of the stack', () => {
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

  test('is all that the role may log', () => {
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

  test('is logged by a role that the Lambda may pass only to SNS', () => {
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

  test.each(platforms)('raises an alarm on the metric of SNS: %s', (platform) => {
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
