import { describe, expect, test } from '@jest/globals';
import { eventSources } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import type { MetricQuery } from './own-metrics.ts';
import { lambdaBehind, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production');
const called = [...new Set(['authorize', ...[...routes, ...eventSources].map(({ lambda }) => lambda)])];

const aliasOf = (lambda: string) =>
  resourcesOf(template, 'AWS::Lambda::Alias').find(
    ([id]) => lambdaBehind(template, { Ref: id }) === lambda,
  ) as
    [id: string, alias: Resource & { UpdatePolicy?: { CodeDeployLambdaAliasUpdate: unknown } }] | undefined;

/** The deployment group that moves the alias of this Lambda. */
function groupOf(lambda: string): [id: string, group: Resource] {
  const update = JSON.stringify(aliasOf(lambda)?.[1].UpdatePolicy?.CodeDeployLambdaAliasUpdate);
  const found = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').find(([id]) => update.includes(id));
  if (!found) throw new Error(`${lambda} has no deployment group`);
  return found;
}

const rolloutOf = (lambda: string) => groupOf(lambda)[1].Properties;

function alarmsOf(lambda: string): Record<string, unknown>[] {
  const { Alarms } = rolloutOf(lambda)['AlarmConfiguration'] as { Alarms: { Name: { Ref: string } }[] };
  const alarms = new Map(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
  return Alarms.map(({ Name }) => alarms.get(Name.Ref)?.Properties ?? {});
}

describe.each(called)('a new version of %s', (lambda) => {
  test('takes over a tenth of the calls first, and goes back when it fails', () => {
    expect(rolloutOf(lambda)).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']) as unknown,
      },
    });
  });

  test('is watched by its own faults alone', () => {
    const watched = alarmsOf(lambda);
    expect(watched.length).toBe(1);
    const { FunctionVersion, FunctionName } = aliasOf(lambda)?.[1].Properties ?? {};
    const metrics = (watched[0]?.['Metrics'] as MetricQuery[]).flatMap(
      ({ MetricStat }) => MetricStat?.Metric ?? [],
    );
    expect(metrics.length).toBeGreaterThanOrEqual(3);
    for (const { Dimensions = [] } of metrics) {
      const values = new Map(Dimensions.map(({ Name, Value }) => [Name, Value]));
      // The version that the alias is being moved to, and no other.
      expect(values.get('ExecutedVersion') ?? values.get('version')).toEqual(FunctionVersion);
      expect(values.get('FunctionName') ?? values.get('function')).toEqual(FunctionName);
    }
  });

  test('takes over only after CodeDeploy may move the alias and knows the alarm', () => {
    const [group, { DependsOn: before = [], Properties }] = groupOf(lambda);
    expect(aliasOf(lambda)?.[1].DependsOn).toContain(group);
    const [role] = (Properties['ServiceRoleArn'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'];
    const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(([id]) => before.includes(id));
    expect(policies.map(([, policy]) => policy.Properties['Roles'])).toEqual([[{ Ref: role }]]);
    const [[, policy] = []] = policies;
    const { FunctionName } = aliasOf(lambda)?.[1].Properties ?? {};
    const { Ref } = FunctionName as { Ref: string };
    const alias = { 'Fn::Join': ['', [{ 'Fn::GetAtt': [Ref, 'Arn'] }, ':live']] };
    expect(JSON.stringify(policy?.Properties['PolicyDocument'])).toContain(JSON.stringify(alias));
  });
});

test('nothing that callers can bring about rings in a deployment: no 5xx of the API, no errors of an alias', () => {
  for (const lambda of called) {
    for (const alarm of alarmsOf(lambda)) {
      expect(alarm).not.toHaveProperty('MetricName');
      expect(JSON.stringify(alarm)).not.toContain('AWS/ApiGateway');
    }
  }
});

test('the version before stays, so that there is something to go back to', () => {
  for (const [, version] of resourcesOf(template, 'AWS::Lambda::Version')) {
    expect(version.DeletionPolicy).toBe('Retain');
  }
});

test('a mend is deployed while alarms ring, where the stage says so', () => {
  const groups = resourcesOf(
    synthesize('production', { rollout: 'unguarded' }),
    'AWS::CodeDeploy::DeploymentGroup',
  );
  for (const [, { Properties }] of groups) {
    expect(Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
      AlarmConfiguration: { Enabled: false },
    });
    expect(JSON.stringify(Properties['AutoRollbackConfiguration'])).not.toContain('ALARM');
  }
});

test('a stage for trying out does not wait, so nothing watches', () => {
  expect(JSON.stringify(synthesize('dev').toJSON())).not.toContain('DEPLOYMENT_STOP_ON_ALARM');
  const configs = resourcesOf(synthesize('dev'), 'AWS::CodeDeploy::DeploymentGroup').map(
    ([, { Properties }]) => Properties['DeploymentConfigName'],
  );
  expect(new Set(configs)).toEqual(new Set(['CodeDeployDefault.LambdaAllAtOnce']));
});
