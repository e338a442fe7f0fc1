import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { exportsPageHeaders } from '../../pages/exports/headers.ts';
import { bareOidc, behindCloudFront, oidc, severalSettings } from './settings.ts';
import { configOf, resourcesOf, synthesisOf, synthesize } from './synthesize.ts';

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

const filesOf = (template: Template) =>
  resourcesOf(template, 'Custom::WebAppFiles')[0]?.[1].Properties as {
    documents: { key: string; body: unknown }[];
    emptyOnDelete: string;
  };

describe('the exports page', () => {
  const page = pageOf('dev');
  const distribution = distributionOf(page);

  test('forwards the calls of tenants to the API with all headers except Host, and no other calls', () => {
    expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/omi/exports',
      '/omi/exports/*',
    ]);
    for (const behavior of distribution.CacheBehaviors)
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
    page.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: {
            ContentSecurityPolicy: exportsPageHeaders['Content-Security-Policy'],
            Override: true,
          },
        },
      },
    });
  });

  test('has a bucket that only CloudFront reads', () => {
    page.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    });
    page.resourceCountIs('AWS::CloudFront::OriginAccessControl', 1);
  });

  test('names the issuer of tokens and the prefix of scopes', () => {
    const [config] = filesOf(page).documents;
    expect(config?.key).toBe('config.json');
    expect(JSON.stringify(config?.body)).toMatch(/tokenUrl.*"TokenUrl".*scopePrefix.*omi\//);
    const { documents } = filesOf(pageOf('dev', bareOidc));
    expect(documents[0]?.body).toBe('{}');
    expect(filesOf(pageOf('dev', oidc)).documents[0]?.body).toBe(
      '{"tokenUrl":"https://id.example.com/token","scopePrefix":""}',
    );
  });

  test('keeps nothing and is deleted with the stack, even in production', () => {
    const { Resources } = pageOf('production').toJSON() as {
      Resources: Record<string, { DeletionPolicy?: string; Type: string }>;
    };
    const kept = Object.values(Resources).filter(
      ({ DeletionPolicy, Type }) => DeletionPolicy?.startsWith('Retain') && Type !== 'AWS::Lambda::Version',
    );
    expect(kept.map(({ Type }) => Type)).toEqual([]);
    expect(filesOf(pageOf('production')).emptyOnDelete).toBe('true');
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

  test('may have its own name, and the web ACL of the API', () => {
    const { api } = behindCloudFront;
    const config = distributionOf(pageOf('dev', { api, exportsPage: { domain } }));
    expect(config).toMatchObject({
      Aliases: [domain.name],
      ViewerCertificate: {
        AcmCertificateArn: domain.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
    expect(config['WebACLId']).toBeDefined();
    expect(distribution).not.toHaveProperty('WebACLId');
    const outputs = synthesize('dev', severalSettings).toJSON() as {
      Outputs: Record<string, { Value: unknown }>;
    };
    expect(outputs.Outputs['ExportsUrl']?.Value).toBe(`https://${domain.name}`);
    expect(outputs.Outputs).toHaveProperty('ExportsDomainTarget');
  });

  test.each([[false], [{ enabled: false }]])('can be turned off by %j', (exportsPage) => {
    const template = JSON.stringify(synthesize('dev', { exportsPage }).toJSON());
    expect(template).not.toMatch(/ExportsPage|ExportsUrl|deploy-exports-page/);
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
