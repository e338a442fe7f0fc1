import { beforeAll, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { deliveryRolePathOf, lambdaRoleNameOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { accountId } from '../../../tools/local/aws/identity.ts';
import { anyValue, type Context } from '../../../tools/local/aws/stand-ins/iam/conditions.ts';
import { isAllowed } from '../../../tools/local/aws/stand-ins/iam/evaluation.ts';
import { stage } from '../../../tools/local/resources/exports.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import { configurationChanges } from '../../lib/configuration-changes.ts';
import {
  assumingOf,
  keyPoliciesOf,
  keysFor,
  keysNamedFor,
  type Permission,
  permissionsIn,
  statementsFor,
} from '../../lib/policies.ts';
import { everyPlatform } from '../../lib/settings.ts';
import { environmentsOf, synthesize } from '../../lib/synthesize.ts';
import { deploymentLambdas } from '../../support/deployment-lambdas.ts';
import { callsOf, recordedCalls } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { callbackPaths } from './callback-paths.ts';
import { cibaPaths } from './ciba-paths.ts';
import { exportPaths } from './export-paths.ts';
import { neededBy } from './needed.ts';
import { logPaths } from './log-paths.ts';
import { noticePaths } from './notice-paths.ts';
import { provisioningPaths } from './provisioning-paths.ts';
import { rarePaths } from './rare-paths.ts';
import { expectTenantSessions } from './tenant-sessions.ts';
import { excused, isUnusedForAReason } from './unused.ts';
import { signalsPaths } from './signals-paths.ts';
import { staffPaths } from './staff-paths.ts';
import { usualPaths } from './usual-paths.ts';
import { tenantPaths } from './tenant-paths.ts';
import { verificationPaths } from './verification-paths.ts';
import { webhookPaths } from './webhook-paths.ts';

const paths = [
  ...usualPaths,
  ...rarePaths,
  ...callbackPaths,
  ...cibaPaths,
  ...exportPaths,
  ...provisioningPaths,
  ...verificationPaths,
  ...webhookPaths,
  ...noticePaths,
  ...tenantPaths,
  ...logPaths,
  ...staffPaths,
  ...signalsPaths,
];
const template = synthesize('dev', { ...everyPlatform, appLink: 'https://app.omi.test' });

/** All but those that only a deployment calls; test/lambdas has them. */
const lambdas = [...environmentsOf(template).keys()].filter(
  (name): name is LambdaName => !deploymentLambdas.includes(name),
);

/** They answer from their environment alone. */
const withoutAws: readonly LambdaName[] = [
  'authorize-staff',
  'device-settings',
  'describe-problem',
  'openid-configuration',
  'ssf-configuration',
];

const text = ({ resource, action }: Permission): string => `${resource} ${action}`;
const texts = (permissions: Permission[]): Set<string> => new Set(permissions.map(text));
const without = (all: Set<string>, others: Set<string>): string[] =>
  [...all].filter((one) => !others.has(one));
const grantedBy = (version: Template, lambda: LambdaName): Permission[] =>
  permissionsIn(statementsFor(lambda, version), version);
const granted = (lambda: LambdaName): Permission[] => grantedBy(template, lambda);

/** The calls of a Lambda of the old version that the update's policies no longer allow, those of the keys included. */
function refusedAfter(
  [old, next]: [Template, Template],
  lambda: LambdaName,
  calls: readonly RecordedCall[],
): string[] {
  const allowed = texts(grantedBy(old, lambda));
  const made = neededBy(lambda, calls).filter((one) => allowed.has(text(one)));
  const keys = keysNamedFor(lambda, old);
  const refused = made.filter(({ resource, action }) => {
    const key = keys.get(resource);
    return key !== undefined && !mayUse(key, `kms:${action}`, lambda, next);
  });
  return [...without(texts(made), texts(grantedBy(next, lambda))), ...texts(refused)];
}

/** Whether both the role's policies and the key's own let it. */
function mayUse(key: string, action: string, lambda: LambdaName, version: Template): boolean {
  const arn = `arn:aws:iam::${accountId}:role/${lambdaRoleNameOf({ stage: 'dev', region: 'eu-central-1' }, lambda)}`;
  const caller = { account: accountId, principalArn: arn, arn };
  const policy = keyPoliciesOf(version, accountId).get(key) ?? [];
  return (
    keysFor(action, statementsFor(lambda, version), version).includes(key) &&
    isAllowed([policy], { action, caller, context: { 'aws:PrincipalArn': arn } }, () => undefined)
  );
}

/** By the documents of the template, as IAM reads them. */
function mayAssume(lambda: LambdaName, role: string): boolean {
  const context: Context = { 'sts:ExternalId': anyValue, 'aws:ResourceAccount': role.split(':')[4] };
  const policy = assumingOf(lambda, template, accountId);
  // The template is of another stage.
  const resource = role.replace(deliveryRolePathOf(stage), deliveryRolePathOf('dev'));
  return isAllowed([policy], { action: 'sts:AssumeRole', resource, context }, () => undefined);
}

/** More would have calls take too long on a small machine. */
const pathsAtOnce = 6;

export function permissions(stack: TestStack): void {
  let calls: RecordedCall[];

  beforeAll(async () => {
    await mapConcurrent(paths, pathsAtOnce, async (path) => await path(stack));
    // Since the start: that is when Lambda looks for the streams' shards.
    calls = await recordedCalls(stack);
  });

  test.each(lambdas)('%s has all permissions that it uses', (lambda) => {
    expect(without(texts(neededBy(lambda, calls)), texts(granted(lambda)))).toEqual([]);
  });

  test.each(configurationChanges)(
    'the version before may make its calls with the permissions of the version after it when %s',
    (_, before, after) => {
      const [old, next] = [synthesize('dev', before), synthesize('dev', after)];
      const kept = lambdas.filter((lambda) => environmentsOf(next).has(lambda));
      expect(kept.flatMap((lambda) => refusedAfter([old, next], lambda, calls))).toEqual([]);
    },
  );

  test('the version before may not sign when its key goes, or when the key’s own policy goes', () => {
    const wrongOrder = synthesize('dev', { signingKeys: ['2'] });
    expect(refusedAfter([template, wrongOrder], 'oauth-token', calls)).toContain('signingKey Sign');
    const limited = structuredClone(template.toJSON()) as {
      Resources: Record<string, { Properties: { KeyPolicy?: { Statement: object[] } } }>;
    };
    for (const { Properties } of Object.values(limited.Resources)) Properties.KeyPolicy?.Statement.splice(1);
    const versions: [Template, Template] = [template, Template.fromJSON(limited)];
    const users = {
      'oauth-token': 'signingKey Sign',
      'enrol-device': 'receiptsKey Sign',
      'get-checkpoint': 'logKey Sign',
    } as const;
    for (const [lambda, use] of Object.entries(users))
      expect(refusedAfter(versions, lambda as LambdaName, calls)).toEqual([use]);
  });

  test.each(lambdas)('%s uses all permissions that it has', (lambda) => {
    const others = granted(lambda).filter((permission) => !isUnusedForAReason(permission));
    if (!withoutAws.includes(lambda)) expect(others).not.toEqual([]);
    expect(without(texts(others), texts(neededBy(lambda, calls)))).toEqual([]);
  });

  test.each(['export-events', 'redeliver-events', 'verify-target'] as const)(
    '%s may assume each role that it assumes',
    (lambda) => {
      const assumed = callsOf(lambda, calls).filter(({ service }) => service === 'sts');
      const roles = new Set(assumed.flatMap(({ resources }) => resources));
      expect(roles.size).toBeGreaterThan(0);
      expect([...roles].filter((role) => !mayAssume(lambda, role))).toEqual([]);
    },
  );

  test('a tenant’s role grants the service exactly what it uses', () => {
    expectTenantSessions(calls);
  });

  test('every listed exception is still needed', () => {
    const everyGrant = texts(lambdas.flatMap(granted));
    const everyUse = texts(lambdas.flatMap((lambda) => neededBy(lambda, calls)));
    for (const exception of excused) {
      expect([...everyGrant]).toContain(text(exception));
      expect([...everyUse]).not.toContain(text(exception));
    }
  });
}
