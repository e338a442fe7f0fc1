import { describe, expect, test } from '@jest/globals';
import { statementsFor } from './policies.ts';
import { everyPlatform, severalSettings } from './settings.ts';
import { environmentsOf, resourcesOf, synthesize } from './synthesize.ts';

const applicationsOf = (stage: string, settings?: object) =>
  resourcesOf(synthesize(stage, settings), 'Custom::PlatformApplication');

describe('a stack without push credentials', () => {
  const template = synthesize();

  test('gives no Lambda permissions in SNS or the ARN of an application', () => {
    const ofLambdas = ['AWS::IAM::Policy', 'AWS::Lambda::Function'].map((type) =>
      resourcesOf(template, type),
    );
    expect(JSON.stringify(ofLambdas)).not.toMatch(/sns:|_APPLICATION_ARN/);
  });
});

describe('a stack with push credentials', () => {
  const applications = applicationsOf('production', everyPlatform);

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
  const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([, { Properties }]) =>
    JSON.stringify(Properties['AssumeRolePolicyDocument']).includes('sns.amazonaws.com'),
  );
  const roleId = roles[0]?.[0] ?? '';

  test('is logged by SNS with the same role for every application', () => {
    expect(roles).toHaveLength(1);
    for (const [, { Properties }] of resourcesOf(template, 'Custom::PlatformApplication'))
      expect(Properties['failureFeedbackRoleArn']).toEqual({ 'Fn::GetAtt': [roleId, 'Arn'] });
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
});
