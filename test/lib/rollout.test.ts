import { describe, expect, test } from '@jest/globals';
import { eventSources } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { lambdaBehind, resourcesOf, synthesize } from './synthesize.ts';

const template = synthesize('production');
const called = [...new Set(['authorize', ...[...routes, ...eventSources].map(({ lambda }) => lambda)])];

/** The deployment group of this Lambda, and its alias. */
function rolloutOf(lambda: string) {
  const [alias] = resourcesOf(template, 'AWS::Lambda::Alias').filter(
    ([id]) => lambdaBehind(template, { Ref: id }) === lambda,
  );
  const { UpdatePolicy } = (alias?.[1] ?? {}) as { UpdatePolicy?: { CodeDeployLambdaAliasUpdate: unknown } };
  const group = JSON.stringify(UpdatePolicy?.CodeDeployLambdaAliasUpdate);
  const found = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').find(([id]) => group.includes(id));
  if (!found) throw new Error(`${lambda} has no deployment group`);
  return found[1].Properties;
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

  test('is watched by its own errors, and by those of the API', () => {
    const { AlarmConfiguration } = rolloutOf(lambda) as {
      AlarmConfiguration: { Alarms: { Name: { Ref: string } }[] };
    };
    const alarms = new Map(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
    const watched = AlarmConfiguration.Alarms.map(({ Name }) => alarms.get(Name.Ref)?.Properties ?? {});
    expect(watched.map(({ MetricName }) => MetricName)).toEqual(['Errors', '5xx']);
    const [errors = {}] = watched;
    const dimensions = errors['Dimensions'] as { Name: string; Value: unknown }[];
    expect(dimensions.map(({ Name }) => Name)).toEqual(['FunctionName', 'Resource']);
  });
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

test('a stage for trying out does not wait', () => {
  const configs = resourcesOf(synthesize('dev'), 'AWS::CodeDeploy::DeploymentGroup').map(
    ([, { Properties }]) => Properties['DeploymentConfigName'],
  );
  expect(new Set(configs)).toEqual(new Set(['CodeDeployDefault.LambdaAllAtOnce']));
});
