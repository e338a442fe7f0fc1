/** What doctor finds of the help desk's page. */
import { expect, test } from '@jest/globals';
import { contentTypeOf } from '#ui/headers.ts';
import { consoleProbe } from '../../../cli/doctor/probes/console-probe.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { consoleHeaders } from '../../../pages/console/headers.ts';
import { serveLoopback } from '../../../tools/local/server/loopback-server.ts';

const signIn = {
  issuer: 'https://issuer.example',
  clientId: 'help-desk',
  authorizationUrl: 'https://sign-in.example/authorize',
  tokenUrl: 'https://sign-in.example/token',
};

type Answers = { api?: number; page?: Record<string, string>; config?: object };

/** By check, whether it is well. */
async function findings({ api = 401, page = {}, config = signIn }: Answers = {}) {
  const headers = {
    ...consoleHeaders('https://sign-in.example'),
    'content-type': contentTypeOf('/index.html'),
  };
  const server = await serveLoopback(
    ({ url }, response) => {
      if (url === '/omi/staff/tenants') response.writeHead(api).end();
      else if (url === '/config.json') response.writeHead(200).end(JSON.stringify(config));
      else response.writeHead(200, { ...headers, ...page }).end();
    },
    { port: 0 },
  );
  try {
    const found = await consoleProbe.check({ consoleUrl: server.url, stage: 'dev' } as Deployment);
    return found.map(({ ok, detail }) => [ok, detail]);
  } finally {
    await server.close();
  }
}

test('the page of the help desk passes if it is healthy', async () => {
  expect(await findings()).toEqual([
    [true, 'says how members of staff sign in'],
    [true, "serves the help desk with this version's security headers"],
    [true, 'reaches the API, which asks members of staff for a token'],
  ]);
});

test('nothing is checked for a stage without a help desk', async () => {
  expect(await consoleProbe.check({ consoleUrl: undefined, stage: 'dev' } as Deployment)).toEqual([]);
});

test('the help desk fails if its page says nothing of the sign-in', async () => {
  const [config] = await findings({ config: { ...signIn, tokenUrl: 'nowhere' } });
  expect(config).toEqual([false, 'does not say how members of staff sign in']);
});

test('the help desk fails if its page may call another issuer than the one where members sign in', async () => {
  const elsewhere = { ...signIn, tokenUrl: 'https://another.example/token' };
  const [, page] = await findings({ config: elsewhere });
  expect(page).toEqual([false, "does not send this version's Content-Security-Policy"]);
});

test.each([200, 403, 404, 500])('the help desk fails if its API answers %d without a token', async (api) => {
  const [, , way] = await findings({ api });
  expect(way).toEqual([false, `answers ${api}, not 401`]);
});
