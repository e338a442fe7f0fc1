import { describe, expect, test } from '@jest/globals';
import { exporterRoleArnsOf } from '../../core/export/verification/tenant-policies/operator-roles.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

describe('a role of the operator', () => {
  test.each(['dev', 'staging', 'production'])('has the name by which tenants trust it (%s)', (stage) => {
    const names = resourcesOf(synthesize(stage), 'AWS::IAM::Role')
      .map(([, { Properties }]) => Properties['RoleName'])
      .filter((name) => typeof name === 'string');
    const trusted = exporterRoleArnsOf({ account: '000000000000', stage }).map((arn) => arn.split('/')[1]);
    expect(names.sort()).toEqual(trusted.sort());
  });
});
