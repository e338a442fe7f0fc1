import { describe, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { problems } from '../../core/http/problems.ts';
import type { RefusalCode } from '../../core/kernel/refusal.ts';
import {
  openApiDocument,
  operationIdOf,
  responseAt,
  type Operation,
} from '../../tools/documents/api/document.ts';
import { meaningOf, refusals } from '../../tools/documents/api/refusals.ts';
import {
  isOfTenants,
  routes,
  scopes as known,
  type RouteDefinition,
  scopesOf,
} from '../../lambdas/routes.ts';

const { info, paths, components, tags } = openApiDocument;

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);
const operationOf = ({ method, path }: RouteDefinition) =>
  operations.find(({ route }) => route === `${method} ${path}`);

/** The codes that an operation documents, by status. */
function codesOf(operation: Operation): [string, string[]][] {
  return Object.entries(operation.responses).map(([status, response]) => [
    status,
    Object.keys(responseAt(response).content?.['application/problem+json']?.examples ?? {}),
  ]);
}

test('the document has the routes of the table and no others', () => {
  expect(operations.map(({ route }) => route)).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
});

test('the document has the version and the words of the package', () => {
  expect(info).toMatchObject({ version: packageJson.version, summary: packageJson.description });
});

test('every error of the service occurs in an operation', () => {
  expect(new Set(Object.values(refusals).flat())).toEqual(new Set(Object.keys(problems)));
});

describe.each([...routes])('the operation $lambda', (route) => {
  const operation = operationOf(route);
  if (!operation) throw new Error(`${route.path} is not documented`);

  test('is named after its Lambda and tagged by its caller', () => {
    // What needs no credentials is for apps, unless it is of OpenID Connect, or of signals.
    const caller = route.caller === 'anyone' ? 'device' : route.caller;
    const [, ownTag = caller] = /^\/omi\/(events|exports)/.exec(route.path) ?? [];
    const isOfSignals = /^\/(?:omi\/ssf|\.well-known\/ssf)/.test(route.path);
    const tag = isOfSignals ? 'signals' : route.path.startsWith('/omi/') ? ownTag : 'openid';
    expect(operation).toMatchObject({ operationId: operationIdOf(route.lambda), tags: [tag] });
  });

  test('documents the parameters of its path', () => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const found = operation.parameters.filter((parameter) => parameter.in === 'path');
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

  test("documents each of its errors under the service's status, and says what it means", () => {
    for (const [status, codes] of codesOf(operation))
      for (const code of codes)
        expect([code, String(problems[code as RefusalCode].status)]).toEqual([code, status]);
    expect(refusals[route.lambda].filter((code) => meaningOf(code, route.lambda) === '')).toEqual([]);
  });
});

test('every scope that a client may have is declared, and no other', () => {
  const { scopes } = components.securitySchemes.accessToken.flows.clientCredentials;
  expect(Object.keys(scopes).sort()).toEqual(known.toSorted());
});

test('every tag is described, and no other', () => {
  expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(operations.flatMap((one) => one.tags)));
});

test('an operation with its own limit has its own answer for it', () => {
  const too = (lambda: string) => {
    const route = routes.find((one) => one.lambda === lambda);
    const response = route && operationOf(route)?.responses['413'];
    return response && responseAt(response).description;
  };
  expect(too('send-to-user')).toContain('64 KiB');
  expect(too('record-events')).toContain('3 MiB, or more than 100 events');
  expect(too('record-events')).not.toContain('64 KiB');
});
