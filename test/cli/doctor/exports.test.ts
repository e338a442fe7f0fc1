/** What doctor finds of the API of tenants, and of their page. */
import { expect, test } from '@jest/globals';
import { contentTypeOf } from '#ui/headers.ts';
import { exportsProbe } from '../../../cli/doctor/probes/exports-probe.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { exportsPageHeaders } from '../../../pages/exports/headers.ts';
import { serveLoopback } from '../../../tools/local/server/loopback-server.ts';

const signIn = {
  issuer: 'https://issuer.example',
  clientId: 'exports',
  authorizationUrl: 'https://sign-in.example/authorize',
  tokenUrl: 'https://sign-in.example/token',
};

type Answers = { api?: number; page?: Record<string, string>; config?: object; hasPage?: boolean };

/** By check, whether it is well: one server is the API and the page's origin. */
async function findings({ api = 401, page = {}, config = {}, hasPage = true }: Answers = {}) {
  const headers = { ...exportsPageHeaders(), 'content-type': contentTypeOf('/index.html'), ...page };
  const server = await serveLoopback(
    ({ url }, response) => {
      if (url === '/omi/exports') response.writeHead(api).end();
      else if (url === '/config.json') response.writeHead(200).end(JSON.stringify(config));
      else response.writeHead(200, headers).end();
    },
    { port: 0 },
  );
  try {
    const deployment = { baseUrl: server.url, exportsUrl: hasPage ? server.url : undefined, stage: 'dev' };
    const found = await exportsProbe.check(deployment as Deployment);
    return found.map(({ ok, detail }) => [ok, detail]);
  } finally {
    await server.close();
  }
}

test('the page of exports passes if it is healthy', async () => {
  expect(await findings()).toEqual([
    [true, "has the settings of the tenants' page"],
    [true, 'asks tenants for a token'],
    [true, "serves the tenants' page with this version's security headers"],
    [true, 'reaches the API from the page'],
  ]);
});

test('only the API is checked for a stage without the page', async () => {
  expect(await findings({ hasPage: false })).toEqual([[true, 'asks tenants for a token']]);
});

test.each([200, 403, 404, 500])('the API fails if it answers %d without a token', async (status) => {
  const told = `answers ${status}, not 401`;
  const [, api, page, way] = await findings({ api: status });
  expect([api, page?.[0], way]).toEqual([[false, told], true, [false, told]]);
});

test('the page fails if its headers are from another version', async () => {
  const found = await findings({ page: { 'Content-Security-Policy': "default-src 'self'" } });
  expect(found[2]).toEqual([false, "does not send this version's Content-Security-Policy"]);
});

test('a page where people sign in may call the issuer, and only that one', async () => {
  const headers = exportsPageHeaders('https://sign-in.example');
  const [config, , page] = await findings({ config: { signIn }, page: headers });
  expect([config?.[0], page?.[0]]).toEqual([true, true]);
  const [, , strict] = await findings({ config: { signIn } });
  expect(strict).toEqual([false, "does not send this version's Content-Security-Policy"]);
});

test('the page fails if it says half of how people sign in', async () => {
  const [config] = await findings({ config: { signIn: { ...signIn, tokenUrl: 'nowhere' } } });
  expect(config).toEqual([false, "does not have the settings of the tenants' page"]);
});
