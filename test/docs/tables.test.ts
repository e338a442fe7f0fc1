import { describe, expect, test } from '@jest/globals';
import { problems } from '../../core/http/problems.ts';
import { openApiDocument } from '../../tools/documents/api/document.ts';
import { operationIdOf } from '../../tools/documents/api/paths.ts';
import { refusals } from '../../tools/documents/api/refusals.ts';
import {
  isOfTenants,
  routes,
  scopes as known,
  type RouteDefinition,
  scopesOf,
} from '../../lambdas/routes.ts';

type Response = { $ref: string };
type Operation = {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, Response>;
};
type Content = Record<string, { examples?: Record<string, unknown> }>;

const { paths, components } = openApiDocument();
const responses = components.responses as Record<
  string,
  { content: Content; headers?: object; description?: string }
>;

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);
const operationOf = ({ method, path }: RouteDefinition) =>
  operations.find(({ route }) => route === `${method} ${path}`);

/** The codes that an operation documents, by status. */
function codesOf(operation: Operation): [string, string[]][] {
  return Object.entries(operation.responses)
    .filter(([, { $ref }]) => ($ref as string | undefined) !== undefined)
    .map(([status, { $ref }]) => {
      const { content } = responses[$ref.replace('#/components/responses/', '')] ?? { content: {} };
      return [status, Object.keys(content['application/problem+json']?.examples ?? {})];
    });
}

test('the document has the routes of the table and no others', () => {
  expect(operations.map(({ route }) => route)).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
});

test('the table of errors has the Lambdas of the routes and no others', () => {
  expect(Object.keys(refusals).sort()).toEqual(routes.map(({ lambda }) => lambda).sort());
});

test('every error of the service occurs in an operation', () => {
  expect(new Set(Object.values(refusals).flat())).toEqual(new Set(Object.keys(problems)));
});

describe.each<RouteDefinition>([...routes])('the operation $lambda', (route) => {
  const operation = operationOf(route);
  if (!operation) throw new Error(`${route.path} is not documented`);
  const lambda = route.lambda as keyof typeof refusals;

  test('is named after its Lambda and tagged by its caller', () => {
    // What needs no credentials is for apps, unless it is of OpenID Connect, or of signals.
    const caller = route.caller === 'anyone' ? 'device' : route.caller;
    const [, ownTag = caller] = /^\/omi\/(events|exports)/.exec(route.path) ?? [];
    const isOfSignals = /^\/(?:omi\/ssf|\.well-known\/ssf)/.test(route.path);
    const tag = isOfSignals ? 'signals' : route.path.startsWith('/omi/') ? ownTag : 'openid';
    expect(operation).toMatchObject({ operationId: operationIdOf(lambda), tags: [tag] });
  });

  test('documents the parameters of its path', () => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const found = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  test('requires its scope or a signature', () => {
    if (route.caller === 'website')
      expect(operation.security).toEqual([
        ...scopesOf(route).map((scope) => ({ accessToken: [scope] })),
        ...(isOfTenants(route) ? [{ memberToken: [] }] : []),
      ]);
    else if (route.caller === 'staff') expect(operation.security).toEqual([{ staffToken: [] }]);
    else if (route.caller === 'client') expect(operation.security).toEqual([{ clientSecret: [] }, {}]);
    else expect([[], [{ deviceSignature: [] }]]).toContainEqual(operation.security);
  });

  test("documents each of its errors under the service's status", () => {
    const documented = codesOf(operation).flatMap(([status, codes]) =>
      codes.map((code) => ({ code, status })),
    );
    const expected = refusals[lambda].map((code) => ({ code, status: String(problems[code].status) }));
    expect(documented).toHaveLength(expected.length);
    expect(documented).toEqual(expect.arrayContaining(expected));
  });
});

test('every scope that a client may have is declared, and no other', () => {
  const { scopes } = components.securitySchemes.accessToken.flows.clientCredentials;
  expect(Object.keys(scopes).sort()).toEqual(known.toSorted());
});

test('every tag is described, and no other', () => {
  const { tags } = openApiDocument();
  expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(operations.flatMap((one) => one.tags)));
});

test('an operation with its own limit has its own answer for it', () => {
  const too = (lambda: string) => {
    const route = routes.find((one) => one.lambda === lambda);
    const name = route && operationOf(route)?.responses['413']?.$ref.replace('#/components/responses/', '');
    return responses[name ?? '']?.description;
  };
  expect(too('send-to-user')).toContain('64 KiB');
  expect(too('record-events')).toContain('3 MiB, or more than 100 events');
  expect(too('record-events')).not.toContain('64 KiB');
});
