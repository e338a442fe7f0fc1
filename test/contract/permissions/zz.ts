import { beforeAll, expect, test } from '@jest/globals';
import type { Call } from '../../../local/aws/calls.ts';
import type { LambdaName } from '../../../lambdas/environments.ts';
import { type Permission, permissionsIn, statementsFor } from '../../lib/policies.ts';
import { environmentsOf, everyPlatform, synthesize } from '../../lib/synthesize.ts';
import { recording } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { neededBy } from './needed.ts';
import { rarePaths } from './rare-paths.ts';
import { excused, isUnusedForAReason } from './unused.ts';
import { usualPaths } from './usual-paths.ts';

const LONG = 90_000;
const template = synthesize('dev', { ...everyPlatform, appLink: 'https://app.omi.test' });

/** All but the one that runs at deployments alone; test/lambdas/push-application has it. */
const lambdas = [...environmentsOf(template).keys()].filter(
  (name): name is LambdaName => name !== 'push-application',
);

const text = ({ resource, action }: Permission): string => `${resource} ${action}`;
const texts = (permissions: Permission[]): Set<string> => new Set(permissions.map(text));
const without = (all: Set<string>, others: Set<string>): string[] =>
  [...all].filter((one) => !others.has(one));
const granted = (lambda: LambdaName): Permission[] => permissionsIn(statementsFor(lambda, template)).filter(({resource, action}) => text({resource, action}) !== 'confirmations UpdateItem');

export function permissions(stack: TestStack): void {
  let calls: Call[];

  beforeAll(async () => {
    const recorded = await recording(stack, async () => {
      await Promise.all([...usualPaths, ...rarePaths].map(async (path) => await path(stack)));
    });
    calls = recorded.calls;
  }, LONG);

  test.each(lambdas)('%s may do what it does', (lambda) => {
    expect(without(texts(neededBy(lambda, calls)), texts(granted(lambda)))).toEqual([]);
  });

  test.each(lambdas)('%s does all that it may do', (lambda) => {
    const others = granted(lambda).filter((permission) => !isUnusedForAReason(permission));
    expect(others).not.toEqual([]);
    expect(without(texts(others), texts(neededBy(lambda, calls)))).toEqual([]);
  });

  test('every exception is one', () => {
    const everyGrant = texts(lambdas.flatMap(granted));
    const everyUse = texts(lambdas.flatMap((lambda) => neededBy(lambda, calls)));
    for (const exception of excused) {
      expect([...everyGrant]).toContain(text(exception));
      expect([...everyUse]).not.toContain(text(exception));
    }
  });
}
