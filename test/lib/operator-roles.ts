import { describe, expect, test } from '@jest/globals';
import { exporterRoleArnsOf } from '../../core/export/kinds/policies/operator-roles.ts';
import { isAllowed } from '../../tools/local/aws/stand-ins/iam/evaluation.ts';
import { assumingOf, resolved } from './policies.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

describe('a role of the operator', () => {
  test.each(['dev', 'staging', 'production'])('has the name that tenants trust (%s)', (stage) => {
    const names = resourcesOf(synthesize(stage), 'AWS::IAM::Role')
      .map(([, { Properties }]) => resolved(Properties['RoleName'], '000000000000'))
      .filter((name) => name !== undefined);
    const of = { account: '000000000000', region: 'eu-central-1', stage };
    const trusted = exporterRoleArnsOf(of).map((arn) => arn.split('/')[1]);
    expect(names).toEqual(expect.arrayContaining(trusted));
  });
});

const own = '111111111111';
const ownRole = (name: string): string => `arn:aws:iam::${own}:role/${name}`;
const tenantRole = 'arn:aws:iam::222222222222:role/omi-events-writer';
const delivery = 'omi/dev/delivery/omi-dev-delivery-0197a0c0-0000-7000-8000-000000000000';

/** With an external id, which every call but the test of trust has. */
const mayAssume = (lambda: string, role: string): boolean => {
  const context = { 'sts:ExternalId': 'k7Qm2xV9sLr4tWp8', 'aws:ResourceAccount': role.split(':')[4] };
  const request = { action: 'sts:AssumeRole', resource: role, context };
  return isAllowed([assumingOf(lambda, synthesize('dev'), own)], request, () => undefined);
};

describe.each(['export-events', 'redeliver-events', 'verify-target'])('the Lambda %s', (lambda) => {
  test("may assume tenants' roles and that of a smoke test", () => {
    expect(mayAssume(lambda, tenantRole)).toBe(true);
    expect(mayAssume(lambda, ownRole('omi-dev-smoke-0a1b2c3d'))).toBe(true);
  });

  test.each([
    'administrator',
    'omi-dev-eu-central-1-authorize',
    'omi-dev-eu-central-1-verify-target',
    'omi-production-smoke-0a1b2c3d',
    'other/omi-dev-smoke-0a1b2c3d',
    'omi/production/delivery/omi-production-delivery-x',
    'cdk-hnb659fds-deploy-role-111111111111-eu-central-1',
  ])("may not assume the operator's own role %s", (name) => {
    expect(mayAssume(lambda, ownRole(name))).toBe(false);
  });

  test('may assume delivery roles only to test buckets', () => {
    expect(mayAssume(lambda, ownRole(delivery))).toBe(lambda === 'verify-target');
  });
});
