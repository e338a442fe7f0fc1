import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from '@jest/globals';
import { routes } from '../../lambdas/routes.ts';
import { behindCloudFront } from './settings.ts';
import { configOf, environmentsOf, resourcesOf, synthesisOf, synthesize } from './synthesize.ts';

const { api } = behindCloudFront;
const withEdge = (edge: object) => ({ api: { ...api, edge: { ...api.edge, ...edge } } });

/** Every setting but the certificate, which the others use, too. */
const changedTo = (secretRevision: number) =>
  withEdge({ requestsPerFiveMinutes: { devices: 10, all: 20 }, required: false, secretRevision });
const changed = changedTo(2);

function stacksOf(settings: object) {
  const { stacks } = synthesisOf({ settings }).assembly;
  return stacks.map(({ stackName, environment, dependencies, template }) => ({
    stackName,
    region: environment.region,
    dependencies: dependencies.map(({ id }) => id),
    template: Template.fromJSON(template as Record<string, unknown>),
  }));
}

const template = synthesize('dev', behindCloudFront);
const propertiesOf = (type: string, from = template) => resourcesOf(from, type)[0]?.[1].Properties ?? {};
const distribution = propertiesOf('AWS::CloudFront::Distribution')['DistributionConfig'] as {
  [name: string]: unknown;
  Origins: {
    OriginCustomHeaders: { HeaderValue: unknown }[];
  }[];
};
const behindIt = ['authorize', 'authorize-exports', 'authorize-staff', ...routes.map(({ lambda }) => lambda)];

describe('the web ACL', () => {
  const stacks = stacksOf(behindCloudFront);
  const edge = stacks.find(({ stackName }) => stackName === 'omi-dev-edge');
  const acl = propertiesOf('AWS::WAFv2::WebACL', edge?.template) as {
    DefaultAction: {
      Allow: { CustomRequestHandling: { InsertHeaders: { Name: string; Value: unknown }[] } };
    };
    Rules: {
      Name: string;
      Priority: number;
      Statement: { RateBasedStatement: Record<string, unknown> };
      Action: unknown;
    }[];
  };
  const ruleOf = (name: string) => acl.Rules.find(({ Name }) => Name === name);

  test('is alone in us-east-1 with its secret, and is deployed before the stacks that use it', () => {
    expect(edge?.region).toBe('us-east-1');
    const resources = Object.values(edge?.template.toJSON()['Resources'] as Record<string, { Type: string }>);
    expect(resources.map(({ Type }) => Type).toSorted()).toEqual([
      'AWS::SecretsManager::Secret',
      'AWS::WAFv2::WebACL',
    ]);
    for (const { stackName, template, dependencies } of stacks)
      if (stackName !== 'omi-dev-edge' && JSON.stringify(template.toJSON()).includes('WebAclArn'))
        expect([stackName, dependencies]).toEqual([stackName, expect.arrayContaining(['omi-dev-edge'])]);
    expect(distribution['WebACLId']).toEqual({
      'Fn::GetStackOutput': { StackName: 'omi-dev-edge', OutputName: 'WebAclArn', Region: 'us-east-1' },
    });
    expect(edge?.template.toJSON()).toHaveProperty('Outputs.WebAclArn');
  });

  test("limits the calls of each address in five minutes: devices' calls, in any spelling of the path, and all calls", () => {
    expect(acl).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: expect.anything() } });
    expect(ruleOf('devices')?.Statement.RateBasedStatement).toMatchObject({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
      Limit: 3_000,
      ScopeDownStatement: {
        ByteMatchStatement: {
          SearchString: '/omi/device',
          TextTransformations: [{ Type: 'URL_DECODE' }, { Type: 'NORMALIZE_PATH' }],
        },
      },
    });
    const all = ruleOf('all')?.Statement.RateBasedStatement;
    expect(all).toMatchObject({ AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 300_000 });
    expect(all).not.toHaveProperty('ScopeDownStatement');
    const mine = stacksOf(changed);
    expect(JSON.stringify(mine.map((stack) => stack.template.toJSON()))).toMatch(/"Limit":10.*"Limit":20/);
  });

  test("counts a call of a page once, by its user's address: the second time it has a header with a secret", () => {
    const [inserted] = acl.DefaultAction.Allow.CustomRequestHandling.InsertHeaders;
    // What the template has is a reference.
    expect(JSON.stringify(inserted?.Value)).toMatch(/resolve:secretsmanager:.*"Ref":"Counted1/);
    const [first, ...others] = acl.Rules.toSorted((one, other) => one.Priority - other.Priority);
    expect(first).toMatchObject({
      Action: { Allow: {} },
      Statement: {
        ByteMatchStatement: {
          FieldToMatch: { SingleHeader: { Name: `x-amzn-waf-${inserted?.Name}` } },
          PositionalConstraint: 'EXACTLY',
          SearchString: inserted?.Value,
          TextTransformations: [{ Type: 'NONE' }],
        },
      },
    });
    expect(others.map(({ Name }) => Name)).toEqual(['devices', 'all']);
    const pages = resourcesOf(template, 'AWS::CloudFront::Distribution').map(
      ([, { Properties }]) => (Properties['DistributionConfig'] as Record<string, unknown>)['WebACLId'],
    );
    expect(pages).toEqual(Array.from({ length: 4 }, () => distribution['WebACLId']));
    const again = stacksOf(changed).find(({ stackName }) => stackName === 'omi-dev-edge');
    expect(JSON.stringify(again?.template.toJSON())).toContain('"Ref":"Counted2');
  });
});

describe('a call that bypasses CloudFront', () => {
  test('is recognised by every Lambda of the API and by no other', () => {
    const sent = distribution.Origins[0]?.OriginCustomHeaders[0]?.HeaderValue;
    for (const [name, environment] of environmentsOf(template)) {
      const isBehind = behindIt.includes(name);
      expect([name, environment['EDGE_REQUIRED']]).toEqual([name, isBehind ? 'true' : undefined]);
      expect([name, 'EDGE_SECRETS' in environment]).toEqual([name, isBehind]);
    }
    expect(revisionsIn(sent)).toEqual(['1']);
  });

  test("does not get the authorizer's cached answers", () => {
    expect(propertiesOf('AWS::ApiGatewayV2::Authorizer')['IdentitySource']).toEqual([
      '$request.header.Authorization',
      '$context.routeKey',
      '$request.header.x-omi-edge',
    ]);
  });

  test('is allowed while the DNS record does not point to CloudFront', () => {
    const open = synthesize('dev', changed);
    expect(environmentsOf(open).get('authorize')).toMatchObject({ EDGE_REQUIRED: 'false' });
    expect(propertiesOf('AWS::ApiGatewayV2::Authorizer', open)['IdentitySource']).toHaveLength(2);
  });
});

/** The revisions of the secrets to which a value of the template refers. */
const revisionsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/EdgeSecret(\d)/g)].map(([, revision = '']) => revision);

describe('a new revision of the secret', () => {
  const acceptedOf = (from: Template): string[][] =>
    [...environmentsOf(from)].flatMap(([, { EDGE_SECRETS }]) =>
      EDGE_SECRETS ? [revisionsIn(EDGE_SECRETS)] : [],
    );

  test('is known to every Lambda before CloudFront sends it, and after CloudFront has stopped', () => {
    expect(new Set(acceptedOf(template).map(String))).toEqual(new Set(['1,2']));
    const renewed = synthesize('dev', changed);
    expect(new Set(acceptedOf(renewed).map(String))).toEqual(new Set(['1,2,3']));
  });

  // CloudFormation reads the references of the template before, when it updates a resource to the next one.
  test.each([1, 2])(
    'leaves in the stack of the API what the other stacks of revision %d read',
    (revision) => {
      const at = (secretRevision: number) =>
        synthesisOf({ settings: secretRevision === 1 ? behindCloudFront : changedTo(secretRevision) })
          .assembly;
      const read = at(revision).stacks.flatMap(({ stackName, template: its }) =>
        stackName === 'omi-dev-api' ? [] : revisionsIn(its),
      );
      const { Outputs, Resources } = at(revision + 1).getStackByName('omi-dev-api').template as Record<
        'Outputs' | 'Resources',
        Record<string, unknown>
      >;
      expect(new Set(read).size).toBe(revision === 1 ? 2 : 3);
      for (const one of read) {
        expect(Object.keys(Outputs)).toContain(`EdgeSecret${one}`);
        expect(revisionsIn(Object.keys(Resources))).toContain(one);
      }
    },
  );

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
  test('fits: a template may have 60 dynamic references', () => {
    for (const { stackName, template: its } of stacksOf(changed)) {
      const count = JSON.stringify(its.toJSON()).match(/\{\{resolve:/g)?.length ?? 0;
      expect([stackName, count <= 60]).toEqual([stackName, true]);
    }
  });
});

describe('the settings of api.edge', () => {
  test.each([
    ['an API without its own domain', { api: { edge: api.edge } }, /api\.edge requires api\.domain/],
    [
      'a certificate of another region',
      withEdge({ certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/1' }),
      /certificateArn: expected a certificate of us-east-1/,
    ],
    [
      'a limit that WAF does not accept',
      withEdge({ requestsPerFiveMinutes: { devices: 9 } }),
      /api\.edge\.requestsPerFiveMinutes\.devices/,
    ],
  ])('reject %s', (_, settings, message) => {
    expect(() => configOf('dev', settings)).toThrow(message);
  });
});
