import { describe, expect, test } from '@jest/globals';
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
        ['ServiceToken', 'ServiceTimeout', 'applicationArn', 'platform', 'secretName', 'revision'].sort(),
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
