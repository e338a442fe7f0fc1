import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from '@jest/globals';
import { appHeaders } from '../../pages/app/headers.ts';
import { appAddresses } from '../../lib/app-addresses.ts';
import { behindCloudFront, severalSettings } from './settings.ts';
import {
  configOf,
  environmentsOf,
  filesOf,
  type Resource,
  resourcesOf,
  synthesisOf,
  synthesize,
} from './synthesize.ts';
import { lambdaStacks } from '../../lib/lambda-stacks.ts';

const domain = {
  name: 'confirm.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/app',
};
const fingerprint = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0')).join(':');

/** Of production, with an app of each platform, and without the other page. */
const native = synthesize('production', {
  webApp: {
    domain,
    apple: { appIds: ['DEF1234567.com.example.app'] },
    android: [{ packageName: 'com.example.app', fingerprints: [fingerprint] }],
  },
  exportsPage: false,
  console: false,
});
const byDefault = synthesize('dev', { appLink: undefined });

type Behavior = Record<string, unknown> & { PathPattern?: string };
type Config = Record<string, unknown> & {
  DefaultCacheBehavior: Behavior;
  CacheBehaviors: Behavior[];
};

/** The distribution of the app, not that of the API. */
function distributionOf(template: Template): [id: string, config: Config] {
  const found = resourcesOf(template, 'AWS::CloudFront::Distribution').find(([id]) =>
    id.startsWith('WebApp'),
  );
  if (!found) throw new Error('The template has no web app.');
  return [found[0], found[1].Properties['DistributionConfig'] as Config];
}

const [distributionId, distribution] = distributionOf(byDefault);
const policyOf = (template: Template, reference: unknown): unknown => {
  const { Ref } = reference as { Ref: string };
  return (template.toJSON() as { Resources: Record<string, { Properties: unknown }> }).Resources[Ref]
    ?.Properties;
};

/** The headers of a response headers policy, each of which replaces the origin's. */
function sentBy(policy: unknown): Record<string, string> {
  const { CustomHeadersConfig, SecurityHeadersConfig } = (
    policy as { ResponseHeadersPolicyConfig: Record<string, Record<string, unknown>> }
  ).ResponseHeadersPolicyConfig;
  const { Items } = CustomHeadersConfig as { Items: { Header: string; Value: string; Override: boolean }[] };
  const known = SecurityHeadersConfig as Record<string, Record<string, unknown>>;
  for (const header of [...Items, ...Object.values(known)]) expect(header).toMatchObject({ Override: true });
  const { AccessControlMaxAgeSec, IncludeSubdomains, Preload } = known['StrictTransportSecurity'] ?? {};
  expect(Preload).toBe(false);
  return {
    ...Object.fromEntries(Items.map(({ Header, Value }) => [Header, Value])),
    'Content-Security-Policy': String(known['ContentSecurityPolicy']?.['ContentSecurityPolicy']),
    'Referrer-Policy': String(known['ReferrerPolicy']?.['ReferrerPolicy']),
    'Strict-Transport-Security': `max-age=${Number(AccessControlMaxAgeSec)}${IncludeSubdomains === true ? '; includeSubDomains' : ''}`,
    'X-Content-Type-Options': known['ContentTypeOptions'] ? 'nosniff' : '',
    'X-Frame-Options': String(known['FrameOptions']?.['FrameOption']),
  };
}

describe("the apps' addresses", () => {
  const addressesOf = (settings: object, host?: string) =>
    appAddresses(configOf('dev', settings), { web: host, api: 'api.omi.test' });

  test('are those of the web app', () => {
    expect(addressesOf({ appLink: undefined }, 'd1.cloudfront.net')).toEqual({
      APP_LINK: 'https://d1.cloudfront.net',
      RP_ID: 'd1.cloudfront.net',
      ORIGINS: 'https://d1.cloudfront.net',
    });
  });

  test('may link to a native app while passkeys still belong to the web app', () => {
    expect(addressesOf({ appLink: 'https://app.example.com/omi' }, 'confirm.example.com')).toEqual({
      APP_LINK: 'https://app.example.com/omi',
      RP_ID: 'confirm.example.com',
      ORIGINS: 'https://confirm.example.com',
    });
  });

  test('are those of the link without a web app', () => {
    expect(addressesOf({ appLink: 'https://app.example.com/omi', webApp: false })).toEqual({
      APP_LINK: 'https://app.example.com/omi',
      RP_ID: 'app.example.com',
      ORIGINS: 'https://app.example.com',
    });
  });

  test('are those of the API without a web app and a link', () => {
    expect(addressesOf({ appLink: undefined, webApp: false })).toEqual({
      APP_LINK: 'https://api.omi.test',
      RP_ID: 'api.omi.test',
      ORIGINS: 'https://api.omi.test',
    });
  });

  test('include the origins of native apps and further ones, each once', () => {
    const webApp = {
      domain,
      rpId: 'example.com',
      apple: { appIds: ['DEF1234567.com.example.app'] },
      android: [{ packageName: 'com.example.app', fingerprints: [fingerprint] }],
      origins: ['https://www.example.com', 'https://confirm.example.com'],
    };
    expect(addressesOf({ webApp }, domain.name)).toMatchObject({
      RP_ID: 'example.com',
      ORIGINS: [
        'https://confirm.example.com',
        'https://example.com',
        'android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
        'https://www.example.com',
      ].join(','),
    });
  });
});

describe('the bucket', () => {
  test('may be read only by the distribution, and by nobody without TLS', () => {
    const [, policy] =
      resourcesOf(byDefault, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('WebApp')) ?? [];
    const { Statement } = policy?.Properties['PolicyDocument'] as { Statement: Record<string, unknown>[] };
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({
        Action: 's3:GetObject',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
      }),
    ]);
    expect(JSON.stringify(allowed)).toContain(`:distribution/",{"Ref":"${distributionId}"}`);
    expect(Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
    const [access] = resourcesOf(byDefault, 'AWS::CloudFront::OriginAccessControl');
    expect(access?.[1].Properties['OriginAccessControlConfig']).toMatchObject({
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });
});

describe('the distribution', () => {
  test('sends the same security headers as the local server, also with answers of the API', () => {
    const policies = [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]
      .filter((behavior) => behavior !== brands())
      .map((behavior) => behavior['ResponseHeadersPolicyId']);
    expect(new Set(policies.map((policy) => JSON.stringify(policy))).size).toBe(1);
    expect(sentBy(policyOf(byDefault, policies[0]))).toEqual(appHeaders);
  });

  const brands = () =>
    distribution.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/omi/device/tenants/*');

  test.each(['/omi/device', '/omi/device/*'])(
    'forwards %s to the API with all methods and headers except Host, without cookies, and caches nothing',
    (path) => {
      const behavior = distribution.CacheBehaviors.find(({ PathPattern }) => PathPattern === path);
      expect(behavior).toMatchObject({
        AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
        // Managed-CachingDisabled.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        ViewerProtocolPolicy: 'https-only',
      });
      expect(policyOf(byDefault, behavior?.['OriginRequestPolicyId'])).toMatchObject({
        OriginRequestPolicyConfig: {
          HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['host'] },
          CookiesConfig: { CookieBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'all' },
        },
      });
    },
  );

  test("has the web ACL of the API, so that an address's calls are limited where they arrive", () => {
    const [, behindEdge] = distributionOf(synthesize('dev', behindCloudFront));
    expect(behindEdge['WebACLId']).toBeDefined();
    expect(distribution).not.toHaveProperty('WebACLId');
  });
});

describe('the files', () => {
  const documentOf = (template: Template, key: string) =>
    filesOf(template, 'WebApp').documents.find((document) => document.key === key);

  test('are written after all aliases have moved and the routes are live, for what they call must be there', () => {
    const synthesis = synthesisOf({});
    const { Resources } = synthesis.templateOf('live').toJSON() as { Resources: Record<string, Resource> };
    const of = (type: string) => Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
    const files = of('Custom::WebAppFiles');
    expect(files).toHaveLength(3);
    for (const id of files)
      expect(Resources[id]?.DependsOn).toEqual(expect.arrayContaining(of('AWS::ApiGatewayV2::Stage')));
    const before = synthesis.stacks.find(({ stackName }) => stackName === 'omi-dev-live')?.dependencies ?? [];
    expect(before.map(({ stackName }) => stackName)).toEqual(
      expect.arrayContaining(lambdaStacks.map((name) => `omi-dev-${name}`)),
    );
  });

  test.each<[object, RegExp]>([
    [{ color: '#0a4d9c' }, /webApp\.brand\.name/],
    [{ name: 'A', color: 'blue' }, /webApp\.brand\.color: expected a colour/],
    [{ name: 'A', languages: ['it'] }, /webApp\.brand\.languages/],
    [
      { name: 'A', imprintUrl: 'http://example.com' },
      /webApp\.brand\.imprintUrl: expected a URL that begins with https/,
    ],
    [
      { name: 'A', logo: 'x' },
      /webApp\.brand\.logo: unknown setting; expected one of name, shortName, color/,
    ],
  ])('reject a brand like %j', (brand, reason) => {
    expect(() => configOf('dev', { webApp: { brand } })).toThrow(reason);
  });

  test('tell each page how the stage presents itself', () => {
    const template = synthesize('dev', severalSettings);
    const { shortName: _, languages, ...shared } = severalSettings.webApp.brand;
    const told = (pages: 'WebApp' | 'ExportsPage' | 'Console'): string => {
      const config = filesOf(template, pages).documents.find(({ key }) => key === 'config.json');
      return JSON.stringify(config?.body).replaceAll('\\', '');
    };
    const asJson = (shown: object) => `"brand":${JSON.stringify(shown)}`;
    for (const pages of ['ExportsPage', 'Console'] as const) expect(told(pages)).toContain(asJson(shared));
    for (const [name, value] of Object.entries({ ...shared, languages }))
      expect(told('WebApp')).toContain(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  });

  test("tell tenants' websites its name and colour, and nothing where the stage has no brand", () => {
    const { name, color } = severalSettings.webApp.brand;
    const told = (settings: object) => environmentsOf(synthesize('dev', settings)).get('get-brand');
    expect(told(severalSettings)).toMatchObject({ APP_NAME: name, APP_COLOR: color });
    expect(told({})).not.toHaveProperty('APP_NAME');
  });

  test('let native apps open the links of this host and use its passkeys', () => {
    const bodyOf = (template: Template, key: string): unknown =>
      JSON.parse(String(documentOf(template, key)?.body));
    const apple = '.well-known/apple-app-site-association';
    const android = '.well-known/assetlinks.json';
    expect(bodyOf(native, apple)).toEqual({
      applinks: {
        details: [{ appIDs: ['DEF1234567.com.example.app'], components: [{ '/': '/enrol' }] }],
      },
      webcredentials: { apps: ['DEF1234567.com.example.app'] },
    });
    expect(bodyOf(native, android)).toEqual([
      {
        relation: [
          'delegate_permission/common.handle_all_urls',
          'delegate_permission/common.get_login_creds',
        ],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.app',
          sha256_cert_fingerprints: [fingerprint.toUpperCase()],
        },
      },
    ]);
    expect(bodyOf(byDefault, apple)).toEqual({ applinks: { details: [] }, webcredentials: { apps: [] } });
    expect(bodyOf(byDefault, android)).toEqual([]);
    for (const key of [apple, android])
      expect(documentOf(native, key)).toMatchObject({
        contentType: 'application/json',
        cacheControl: 'no-cache',
      });
  });
});

describe('the settings of the web app', () => {
  const refused: [string, object, RegExp][] = [
    [
      'an unknown setting',
      { webApp: { host: 'x' } },
      /webApp\.host: unknown setting; expected one of enabled/,
    ],
    [
      'a certificate of another region',
      { webApp: { domain: { ...domain, certificateArn: 'arn:aws:acm:eu-central-1:0:certificate/1' } } },
      /webApp\.domain\.certificateArn: expected a certificate of us-east-1/,
    ],
    [
      'a URL as a name',
      { webApp: { domain: { ...domain, name: 'https://x.example' } } },
      /webApp\.domain\.name/,
    ],
    [
      'the name of the API',
      { api: behindCloudFront.api, webApp: { domain: { ...domain, name: 'api.example.com' } } },
      /webApp\.domain\.name: expected another name/,
    ],
    ["an RP id for CloudFront's name", { webApp: { rpId: 'example.com' } }, /webApp\.rpId: expected/],
    ['a foreign RP id', { webApp: { domain, rpId: 'ample.com' } }, /webApp\.rpId: expected/],
    ['an origin with a path', { webApp: { origins: ['https://example.com/x'] } }, /webApp\.origins\.0/],
    ['a short fingerprint', { webApp: { android: [{ packageName: 'a', fingerprints: ['00'] }] } }, /SHA-256/],
    ['an app without its team', { webApp: { apple: { appIds: ['com.example.app'] } } }, /<team id>/],
  ];
  test.each(refused)('reject %s', (_, settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });
});
