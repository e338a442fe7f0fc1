import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { ownIssuer, severalSettings } from './settings.ts';
import { configOf, resourcesOf, synthesisOf } from './synthesize.ts';

const { domain } = severalSettings.exportsPage;

function pageOf(settings: object = {}): Template {
  const { console: page } = synthesisOf({ settings });
  if (!page) throw new Error('The page is not in a nested stack.');
  return page;
}

const policyOf = (page: Template): string =>
  JSON.stringify(resourcesOf(page, 'AWS::CloudFront::ResponseHeadersPolicy')[0]?.[1].Properties);

describe('the pool of members of staff', () => {
  const data = synthesisOf({}).templateOf('data');

  test('lets nobody sign up, and nobody in without an authenticator', () => {
    data.hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
    });
  });
});

describe('the help desk', () => {
  test('forwards the calls of members of staff, and what is public of tenants, and no others', () => {
    const [, distribution] = resourcesOf(pageOf(), 'AWS::CloudFront::Distribution')[0] ?? [];
    const config = distribution?.Properties['DistributionConfig'] as {
      CacheBehaviors: Record<string, unknown>[];
    };
    const [staff, brands] = config.CacheBehaviors;
    expect(config.CacheBehaviors).toHaveLength(2);
    expect(staff).toMatchObject({ PathPattern: '/omi/staff/*', ResponseHeadersPolicyId: expect.anything() });
    expect(brands).toMatchObject({ PathPattern: '/omi/device/tenants/*', AllowedMethods: ['GET', 'HEAD'] });
    // A logo comes with a policy of its own.
    expect(brands).not.toHaveProperty('ResponseHeadersPolicyId');
  });

  test('may call its own origin and the token endpoint of its issuer alone', () => {
    expect(policyOf(pageOf(ownIssuer))).toContain("connect-src 'self' https://token.example.com;");
  });

  test('is verified by the issuer of the operator, for its client', () => {
    const { template } = synthesisOf({ settings: ownIssuer });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          STAFF_ISSUER_KIND: 'oidc',
          STAFF_ISSUER: 'https://login.example.com',
          STAFF_CLIENT_ID: 'help-desk',
          STAFF_GROUPS_CLAIM: 'groups',
        },
      },
    });
  });

  test.each([
    [{ console: { host: 'x' } }, /console\.host: unknown setting/],
    [{ exportsPage: { domain }, console: { domain } }, /console\.domain\.name: expected another name/],
    [{ staff: { kind: 'oidc', issuer: 'https://x.example' } }, /staff\.clientId/],
  ])('refuses %j', (settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });
});
