import { describe, expect, test } from '@jest/globals';
import { lines } from '../../tools/bench/cost/data.ts';
import { routeKeyOf, routes, strayRoutes } from '../../lambdas/routes.ts';
import { moved } from './settings.ts';
import { environmentsOf, lambdaBehind, resourcesOf, synthesisOf, synthesize } from './synthesize.ts';

const template = synthesize();
const stageOf = (from = template) => resourcesOf(from, 'AWS::ApiGatewayV2::Stage')[0]?.[1].Properties ?? {};

describe('the routes of the API', () => {
  const all = [...routes, ...strayRoutes];
  const deployed = new Map(
    resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => [
      Properties['RouteKey'],
      Properties,
    ]),
  );

  test('are exactly those of the table, because another route would be open to everybody', () => {
    expect([...deployed.keys()].sort()).toEqual(all.map(routeKeyOf).sort());
  });

  test.each(all.map((route) => [routeKeyOf(route), route] as const))(
    'include %s',
    (routeKey, { caller, lambda }) => {
      expect(deployed.get(routeKey)).toMatchObject(
        caller === 'website' || caller === 'staff'
          ? { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: expect.any(String) } }
          : { AuthorizationType: 'NONE' },
      );
      expect(lambdaOf(deployed.get(routeKey)?.['Target'])).toBe(lambda);
    },
  );

  test('the answers of all authorizers are cached by token and route, because scopes differ by route', () => {
    template.resourcePropertiesCountIs(
      'AWS::ApiGatewayV2::Authorizer',
      {
        IdentitySource: ['$request.header.Authorization', '$context.routeKey'],
        AuthorizerResultTtlInSeconds: 300,
        AuthorizerPayloadFormatVersion: '2.0',
        EnableSimpleResponses: true,
      },
      3,
    );
  });
});

/** Name of the Lambda behind a route's target. */
function lambdaOf(target: unknown): string | undefined {
  const text = JSON.stringify(target);
  const integration = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').find(([id]) =>
    text.includes(`"${id}"`),
  );
  return lambdaBehind(template, integration?.[1].Properties['IntegrationUri']);
}

describe('the access log', () => {
  const { Format } = stageOf()['AccessLogSettings'] as { Format: string };

  test('has the fields that the cost model counts', () => {
    const fields = {
      ...{ requestId: 'a1B2c3D4e5F6g7h=', routeKey: 'GET /omi/push/confirmation', status: '200' },
      ...{ tenantId: 'a1b2c3d4-0000-4000-8000-000000000001', clientId: 'x'.repeat(26) },
      ...{ sourceIp: '203.0.113.42', responseLatency: '14', integrationLatency: '11' },
      ...{ authorizerError: '-', error: '-' },
    };
    expect(Object.keys(JSON.parse(Format) as object)).toEqual(Object.keys(fields));
    // By which the cost model counts.
    expect(JSON.stringify(fields).length + 26).toBe(lines.access);
  });

  test('has no path, query string, header or token, because they contain user ids, nonces and codes', () => {
    const variables = [...Format.matchAll(/\$context\.([\w.]+)/g)].map(([, name]) => name);
    expect(
      variables.filter((name) => /path|query|header|userAgent|identity\.(?!sourceIp)/i.test(name ?? '')),
    ).toEqual([]);
    expect(Format.replaceAll('$context.', '')).not.toContain('$');
  });
});

describe('limits of the API', () => {
  test('apply to the whole API and not to a single route, where one caller could lock out the others', () => {
    expect(stageOf()).toMatchObject({
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
    });
    for (const stage of ['dev', 'production'])
      expect(stageOf(synthesize(stage))).not.toHaveProperty('RouteSettings');
  });

  test('are set after the routes exist, because API Gateway rejects them before', () => {
    const synthesis = synthesisOf({});
    const { stacks } = synthesis;
    const isIn = (type: string) => (name: string) => resourcesOf(synthesis.templateOf(name), type).length > 0;
    const names = stacks.map(({ stackName }) => stackName.replace('omi-dev-', ''));
    const [live = '', ...others] = names.filter(isIn('AWS::ApiGatewayV2::Stage'));
    expect(others).toEqual([]);
    const before = stacks.find(({ stackName }) => stackName === `omi-dev-${live}`)?.dependencies ?? [];
    const withRoutes = names.filter(isIn('AWS::ApiGatewayV2::Route'));
    expect(withRoutes).toEqual(['api', 'devices', 'confirmations', 'export', 'signals', 'log', 'staff']);
    expect(before.map(({ stackName }) => stackName)).toEqual(
      expect.arrayContaining(withRoutes.map((name) => `omi-dev-${name}`)),
    );
  });
});

/** Lambdas that write the base URL into something, and read none. */
const makesOnlyUrls = [
  'ssf-configuration',
  'create-signal-stream',
  'list-signal-streams',
  'update-signal-stream',
  'replace-signal-stream',
  'start-enrolment',
  'openid-configuration',
  'preview-enrolment',
  'get-brand',
  'expire-confirmation',
  'export-events',
  'redeliver-events',
  'verify-target',
  'tell-of-exports',
  'close-minutes',
  'get-checkpoint',
  'get-inclusion-proof',
  'remind-of-exports',
];

describe('the URL of the API', () => {
  test("includes API Gateway's own address while it is a former base URL, which devices still sign", () => {
    const former = moved.api.formerBaseUrls;
    const template = synthesize('production', moved);
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    const environments = environmentsOf(template);
    for (const [name, { BASE_URL, FORMER_BASE_URLS }] of environments) {
      const isAccepted = BASE_URL !== undefined && !makesOnlyUrls.includes(name);
      expect([name, FORMER_BASE_URLS]).toEqual([name, isAccepted ? former.join(',') : undefined]);
    }
    expect(template.toJSON()).toHaveProperty('Outputs.FormerBaseUrls.Value', former.join(','));
  });
});
