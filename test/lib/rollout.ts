import { describe, expect, test } from '@jest/globals';
import { eventSources } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import type { MetricQuery } from './own-metrics.ts';
import { lambdaBehind, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production');
const called = [
  ...new Set([
    'authorize',
    'authorize-exports',
    'authorize-staff',
    ...[...routes, ...eventSources].map(({ lambda }) => lambda),
  ]),
];

type Alias = Resource & { UpdatePolicy?: { CodeDeployLambdaAliasUpdate: unknown } };

function aliasOf(lambda: string): Alias | undefined {
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  const [, found] = aliases.find(([id]) => lambdaBehind(template, { Ref: id }) === lambda) ?? [];
  return found;
}

/** The deployment group of a Lambda's alias. */
function groupOf(lambda: string): [id: string, group: Resource] {
  const update = JSON.stringify(aliasOf(lambda)?.UpdatePolicy?.CodeDeployLambdaAliasUpdate);
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
  test('gets a tenth of the calls first, and rolls back if it fails', () => {
    expect(rolloutOf(lambda)).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']) as unknown,
      },
    });
  });

  test('has an alarm only on its own faults', () => {
    const watched = alarmsOf(lambda);
    expect(watched.length).toBe(1);
    const { FunctionVersion } = aliasOf(lambda)?.Properties ?? {};
    const metrics = (watched[0]?.['Metrics'] as MetricQuery[]).flatMap(
      ({ MetricStat }) => MetricStat?.Metric ?? [],
    );
    expect(metrics.length).toBeGreaterThanOrEqual(3);
    for (const { Dimensions = [] } of metrics) {
      const values = new Map(Dimensions.map(({ Name, Value }) => [Name, Value]));
      // Only the version to which the alias moves.
      expect(values.get('ExecutedVersion') ?? values.get('version')).toEqual(FunctionVersion);
      expect(values.get('FunctionName') ?? values.get('function')).toBe(`omi-production-${lambda}`);
    }
  });

  test('gets calls only after CodeDeploy has its permissions and the alarm', () => {
    const [group, { DependsOn: before = [], Properties }] = groupOf(lambda);
    expect(aliasOf(lambda)?.DependsOn).toContain(group);
    const [role] = (Properties['ServiceRoleArn'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'];
    const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(([id]) => before.includes(id));
    expect(policies.map(([, policy]) => policy.Properties['Roles'])).toEqual([[{ Ref: role }]]);
    const [[, policy] = []] = policies;
    // Every function of the stage has such a name.
    expect(JSON.stringify(policy?.Properties['PolicyDocument'])).toContain(':function:omi-production-*');
  });
});

test('a stage can deploy a fix while alarms ring', () => {
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
