import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { contentTypeOf } from '#ui/headers.ts';
import { appHeaders } from '../../../pages/app/headers.ts';
import { addressOf, appProbe } from '../../../cli/doctor/probes/app-probe.ts';
import type { Finding } from '../../../cli/doctor/probe.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

const page: Answer = { headers: { 'content-type': contentTypeOf('/index.html') }, body: '<!doctype html>' };
const json = (body: unknown): Answer => ({ headers: { 'content-type': 'application/json' }, body });

const baseUrl = 'https://api.example.com';
const vapid = `B${'A'.repeat(86)}`;

/** What doctor finds of an app that answers so; the others answer as they should. */
async function findings(
  overrides: (origin: string) => Record<string, Answer> = () => ({}),
  stage = 'dev',
): Promise<Map<string, Finding>> {
  let answers: Record<string, Answer> = {};
  const server = createServer(({ url = '' }, response) => {
    const { status = 200, headers, body } = answers[url] ?? { status: 403, body: '' };
    response.writeHead(status, { ...appHeaders, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  answers = {
    '/': page,
    '/enrol': page,
    '/config.json': json({ baseUrl }),
    '/omi/device/settings': json(settingsOf(origin)),
    '/.well-known/apple-app-site-association': json({}),
    '/.well-known/assetlinks.json': json([]),
    ...overrides(origin),
  };
  try {
    const found = await appProbe.check({ appUrl: origin, baseUrl, stage } as Deployment);
    return new Map(found.map((finding) => [finding.subject.replace(origin, ''), finding]));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const settingsOf = (origin: string) => ({
  webPush: { applicationServerKey: vapid },
  rpId: 'localhost',
  origins: [origin],
});

const detailOf = async (path: string, answer: Answer | ((origin: string) => Answer)): Promise<unknown> => {
  const found = await findings((origin) => ({
    [path]: typeof answer === 'function' ? answer(origin) : answer,
  }));
  const failed = [...found].filter(([, { ok }]) => !ok);
  expect(failed.map(([subject]) => subject)).toEqual([path]);
  expect(failed[0]?.[1].fix).toContain('Deploy the stage again (npx cdk deploy --all)');
  return failed[0]?.[1].detail;
};

describe('doctor, for the web app,', () => {
  test('passes in the cloud with the link files of native apps', async () => {
    const cloud = await findings();
    expect([...cloud.values()].filter(({ ok }) => !ok)).toEqual([]);
    expect(cloud.size).toBe(6);
    expect((await findings(undefined, 'local')).size).toBe(4);
  });

  test('checks nothing if the stage has none', async () => {
    expect(await appProbe.check({ appUrl: undefined, baseUrl, stage: 'dev' } as Deployment)).toEqual([]);
  });

  test('finds that nothing answers', async () => {
    const found = await appProbe.check({ appUrl: 'http://127.0.0.1:1', baseUrl, stage: 'dev' } as Deployment);
    expect(found).toHaveLength(6);
    for (const one of found)
      expect(one).toMatchObject({ ok: false, detail: expect.stringContaining('does not answer') as unknown });
  });

  test.each(['/', '/enrol', '/.well-known/assetlinks.json'])('finds that %s is missing', async (path) => {
    expect(await detailOf(path, { status: 403, body: '' })).toBe('answers 403, not 200');
  });

  test('finds that the headers are from another version', async () => {
    const headers = { ...page.headers, 'Content-Security-Policy': "default-src 'self'" };
    expect(await detailOf('/', { ...page, headers })).toBe(
      "does not send this version's Content-Security-Policy",
    );
  });

  test('finds that the app belongs to another stack', async () => {
    const other = json({ baseUrl: 'https://other.example.com' });
    expect(await detailOf('/config.json', other)).toBe(
      'names the base URL https://other.example.com, not https://api.example.com: the app accepts no enrolment',
    );
    expect(await detailOf('/config.json', json({}))).toBe('names no base URL');
  });
});

test("warns of CloudFront's own name in production, because a later domain is another origin", () => {
  const name = 'https://d111.cloudfront.net';
  expect(addressOf(name, 'production')).toMatchObject([
    {
      ok: true,
      warning: true,
      subject: name,
      detail: expect.stringContaining('must enrol again') as unknown,
    },
  ]);
  expect(addressOf(name, 'dev')).toEqual([]);
  expect(addressOf('https://confirm.example.com', 'production')).toEqual([]);
});
