import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { exportsPageHeaders } from '../../pages/exports/headers.ts';
import { noPages } from './configuration-changes.ts';
import { behindCloudFront, ownIssuer, severalSettings } from './settings.ts';
import { configOf, environmentsOf, filesOf, resourcesOf, synthesisOf, synthesize } from './synthesize.ts';

const { domain } = severalSettings.exportsPage;

/** The nested stack alone. */
function pageOf(stage: 'dev' | 'production', settings: object = {}): Template {
  const { exportsPage } = synthesisOf({ stage, settings });
  if (!exportsPage) throw new Error('The page is not in a nested stack.');
  return exportsPage;
}

type Config = Record<string, unknown> & {
  DefaultCacheBehavior: Record<string, unknown>;
  CacheBehaviors: (Record<string, unknown> & { PathPattern: string })[];
};

const distributionOf = (template: Template): Config =>
  resourcesOf(template, 'AWS::CloudFront::Distribution')[0]?.[1].Properties['DistributionConfig'] as Config;

const filesFor = (stage: 'dev' | 'production', settings: object = {}) =>
  filesOf(synthesize(stage, settings), 'ExportsPage');

describe('the exports page', () => {
  const page = pageOf('dev');
  const distribution = distributionOf(page);

  test('forwards the calls of tenants to the API with all headers except Host, and no other calls', () => {
    expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/omi/exports',
      '/omi/exports/*',
      '/omi/device/tenants/*',
    ]);
    for (const behavior of distribution.CacheBehaviors.slice(0, 2))
      expect(behavior).toMatchObject({
        // Managed-CachingDisabled.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        ViewerProtocolPolicy: 'https-only',
        ResponseHeadersPolicyId: distribution.DefaultCacheBehavior['ResponseHeadersPolicyId'],
      });
    page.hasResourceProperties('AWS::CloudFront::OriginRequestPolicy', {
      OriginRequestPolicyConfig: {
        HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['host'] },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    });
  });

  test('has its own security headers', () => {
    const expectedPolicy = exportsPageHeaders()['Content-Security-Policy'];
    pageOf('dev', { exportsPage: { signIn: false } }).hasResourceProperties(
      'AWS::CloudFront::ResponseHeadersPolicy',
      {
        ResponseHeadersPolicyConfig: {
          SecurityHeadersConfig: {
            ContentSecurityPolicy: {
              ContentSecurityPolicy: expectedPolicy,
              Override: true,
            },
          },
        },
      },
    );
  });

  test('signs members of tenants in, by a client of its own without a secret that leads back to the page', () => {
    const withDomain = pageOf('dev', severalSettings);
    withDomain.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: [`https://${domain.name}/`],
      GenerateSecret: false,
    });
    const files = filesFor('dev', severalSettings);
    expect(JSON.stringify(files.documents[0]?.body)).toMatch(/signIn.*clientId.*oauth2\/token/);
    const { template } = synthesisOf({});
    const { EXPORTS_CLIENT_ID: ours, STAFF_USER_POOL_ID: pool } =
      environmentsOf(template).get('authorize-exports') ?? {};
    const helpDesk = environmentsOf(template).get('authorize-staff') ?? {};
    expect(pool).toEqual(helpDesk['STAFF_USER_POOL_ID']);
    expect(ours).toBeDefined();
    expect(ours).not.toEqual(helpDesk['STAFF_CLIENT_ID']);
  });

  test('is named to those who are told of exports, where the stage has it', () => {
    const named = (template: Template): unknown =>
      environmentsOf(template).get('remind-of-exports')?.['EXPORTS_URL'];
    expect(named(synthesize('dev', severalSettings))).toBe(`https://${domain.name}`);
    expect(named(synthesize('production', noPages))).toBeUndefined();
  });

  test('may call its own origin and the token endpoint of its issuer alone, where people sign in', () => {
    const its = pageOf('dev', ownIssuer);
    expect(JSON.stringify(resourcesOf(its, 'AWS::CloudFront::ResponseHeadersPolicy'))).toContain(
      "connect-src 'self' https://token.example.com;",
    );
    expect(JSON.stringify(filesFor('dev', ownIssuer).documents[0]?.body)).toContain(
      String.raw`\"signIn\":{\"issuer\":\"https://login.example.com\",\"clientId\":\"exports\"`,
    );
    expect(environmentsOf(synthesize('dev', ownIssuer)).get('authorize-exports')).toMatchObject({
      STAFF_ISSUER: 'https://login.example.com',
      EXPORTS_CLIENT_ID: 'exports',
      STAFF_GROUPS_CLAIM: 'groups',
    });
  });

  test('has names that CloudFront accepts: short, and new for each life of the stack', () => {
    const named = [
      'CachePolicy',
      'OriginRequestPolicy',
      'ResponseHeadersPolicy',
      'OriginAccessControl',
    ].flatMap((kind) => resourcesOf(page, `AWS::CloudFront::${kind}`));
    expect(named).toHaveLength(4);
    for (const [, { Type, Properties }] of named) {
      const text = JSON.stringify(Properties);
      expect(text).toContain('{"Fn::Select":[2,{"Fn::Split":["/",{"Ref":"AWS::StackId"}]}]}');
      // With a UUID, at most 64 characters for an origin access control, and 128 for the others.
      const longest = Type === 'AWS::CloudFront::OriginAccessControl' ? 28 : 92;
      const [, name = ''] = /"(omi-dev-[\w-]+-)"/.exec(text) ?? [];
      expect([name.startsWith('omi-dev-'), name.length <= longest]).toEqual([true, true]);
    }
  });

  test.each([
    [{ exportsPage: { host: 'x' } }, /exportsPage\.host: unknown setting/],
    [{ exportsPage: { domain: { ...domain, name: 'https://x' } } }, /exportsPage\.domain\.name/],
    [
      { api: behindCloudFront.api, exportsPage: { domain: { ...domain, name: 'api.example.com' } } },
      /exportsPage\.domain\.name: expected another name/,
    ],
    [{ webApp: { domain }, exportsPage: { domain } }, /exportsPage\.domain\.name: expected another name/],
  ])('rejects the settings %j', (settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });
});
