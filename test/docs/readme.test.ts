/** What the README says, held against what it speaks of. Its commands run in test/contract/readme.test.ts. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { routes, scopesOf } from '../../lambdas/routes.ts';

const readme = readFileSync('README.md', 'utf8');

test('README.md names the cost of the model', () => {
  const [, cost = ''] = /us-east-1 (\d+\.\d+) USD/.exec(readFileSync('docs/scaling.md', 'utf8')) ?? [];
  expect(readme).toContain(`about ${Math.round(Number(cost))} USD per million confirmations in us-east-1`);
  const [, quiet = ''] =
    /Goal with callbacks: .* us-east-1 (\d+\.\d+) USD/.exec(readFileSync('docs/scaling.md', 'utf8')) ?? [];
  expect(readme).toContain(`${Math.round(Number(quiet))} with callbacks`);
});

test('README.md lists every endpoint with its scope, and no other', () => {
  const rows = [...readme.matchAll(/^\| (`[A-Z]+ \/.*) \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, endpoints = '', scope = '']) =>
    endpoints.split(', ').map((endpoint) => `${endpoint.replace(/\?.*`$/, '`')} ${scope}`),
  );
  const others = {
    device: 'signed by the device',
    staff: 'a member of staff',
    client: 'authenticated by the client',
    anyone: 'public',
  };
  const known = routes.map(
    (route) =>
      `\`${route.method} ${route.path}\` ${
        route.caller === 'website'
          ? scopesOf(route)
              .map((scope) => `\`${scope}\``)
              .join(' or ')
          : others[route.caller]
      }`,
  );
  expect(listed.sort()).toEqual(known.sort());
});
