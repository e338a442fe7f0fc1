import { beforeAll, expect, test } from '@jest/globals';
import { deliveryRolePathOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import type { RecordedCall } from '../../../tools/local/aws/endpoint/call-log.ts';
import { accountId } from '../../../tools/local/aws/identity.ts';
import { anyValue, type Context } from '../../../tools/local/aws/stand-ins/iam/conditions.ts';
import { isAllowed } from '../../../tools/local/aws/stand-ins/iam/evaluation.ts';
import { stage } from '../../../tools/local/resources/exports.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import type { LambdaName } from '../../../lambdas/registered.ts';
import { assumingOf, type Permission, permissionsIn, statementsFor } from '../../lib/policies.ts';
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

/** Those that wait for half a minute begin first. */
const paths = [
  ...callbackPaths,
  ...cibaPaths,
  ...noticePaths,
  ...rarePaths,
  ...usualPaths,
  ...exportPaths,
  ...provisioningPaths,
  ...verificationPaths,
  ...webhookPaths,
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
const granted = (lambda: LambdaName): Permission[] =>
  permissionsIn(statementsFor(lambda, template), template);

/** By the documents of the template, as IAM reads them. */
function mayAssume(lambda: LambdaName, role: string): boolean {
  const context: Context = { 'sts:ExternalId': anyValue, 'aws:ResourceAccount': role.split(':')[4] };
  const policy = assumingOf(lambda, template, accountId);
  // The template is of another stage.
  const resource = role.replace(deliveryRolePathOf(stage), deliveryRolePathOf('dev'));
  return isAllowed([policy], { action: 'sts:AssumeRole', resource, context }, () => undefined);
}

/** More would have calls take too long on a small machine. */
const pathsAtOnce = 10;

export function permissions(stack: TestStack): void {
  let calls: RecordedCall[];

  beforeAll(async () => {
    // What a call answers is tested elsewhere; here it has to be made. Where a busy machine did not answer one in time, its path
    // begins again, without others beside it.
    const unanswered: (typeof paths)[number][] = [];
    await mapConcurrent(paths, pathsAtOnce, async (path) => {
      await path(stack).catch(() => unanswered.push(path));
    });
    for (const path of unanswered) await path(stack);
    // Since the start: that is when Lambda looks for the streams' shards.
    calls = await recordedCalls(stack);
  });

  test.each(lambdas)('%s has all permissions that it uses', (lambda) => {
    expect(without(texts(neededBy(lambda, calls)), texts(granted(lambda)))).toEqual([]);
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
      expect(everyGrant).toContain(text(exception));
      if (!exception.isLate) expect(everyUse).not.toContain(text(exception));
    }
  });
}
