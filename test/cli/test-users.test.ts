/** Users who confirm by themselves are for tests. In production somebody must want them. */
import { describe, expect, test } from '@jest/globals';
import { requireConsent } from '../../cli/tenants/test-users.ts';

const wanted = { testUsers: 'on' } as const;

describe('test users', () => {
  test('need --yes-in-production in the stage production', () => {
    expect(() => requireConsent({ stage: 'production' }, wanted)).toThrow(
      'Test users confirm by themselves, and this is the stage production.',
    );
    expect(() => requireConsent({ stage: 'production' }, { ...wanted, yesInProduction: true })).not.toThrow();
  });

  test.each([
    ['in another stage', { stage: 'staging' }, wanted],
    ['to be turned off', { stage: 'production' }, { testUsers: 'off' } as const],
    ['where nothing is said of them', { stage: 'production' }, {}],
  ])('need no consent %s', (_, deployment, options) => {
    expect(() => requireConsent(deployment, options)).not.toThrow();
  });
});
