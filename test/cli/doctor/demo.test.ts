import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { demoProbe } from '../../../cli/doctor/probes/demo-probe.ts';
import type { Finding } from '../../../cli/doctor/probe.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { siteHeaders } from '../../../pages/bank/headers.ts';
import { useSharedStack } from '../../support/use-stack.ts';
import { omiOn } from '../omi.ts';

const baseUrl = 'https://api.example.com';
const tenantId = '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };
const html: Answer = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html>' };
const config: Answer = { body: { baseUrl, tenantId } };

type Given = { page?: Answer; config?: Answer; profile?: object | undefined; stage?: string };

/** What doctor finds of a demo bank that answers so, and whose tenant has this profile. */
async function findings(given: Given = {}): Promise<Finding[]> {
  const { stage = 'dev' } = given;
  const profile = 'profile' in given ? given.profile : { tenantId, name: 'Demo bank', settings: {} };
  const answers: Record<string, Answer> = { '/': given.page ?? html, '/config.json': given.config ?? config };
  const server = createServer(({ url = '' }, response) => {
    const { status = 200, headers, body } = answers[url] ?? { status: 404, body: '' };
    response.writeHead(status, { ...siteHeaders, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const deployment = {
    ...{ baseUrl, stage, selector: `--stage ${stage}`, tables: { tenants: 'tenants' } },
    demo: async () => await Promise.resolve({ url, secretArn: 'arn' }),
    clients: { dynamodb: { send: async () => await Promise.resolve({ Item: profile }) } },
  } as unknown as Deployment;
  try {
    return (await demoProbe.check(deployment)).map((finding) => ({
      ...finding,
      subject: finding.subject.replace(url, ''),
    }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('doctor, for the demo bank,', () => {
  test('checks nothing if the stage has none', async () => {
    const none = { demo: async () => await Promise.resolve(undefined) } as unknown as Deployment;
    expect(await demoProbe.check(none)).toEqual([]);
  });

  test('passes if it is healthy', async () => {
    expect(await findings()).toMatchObject([
      { subject: '/', ok: true },
      { subject: '/config.json', ok: true },
    ]);
  });

  test('finds that it is not connected yet, and says how to connect it', async () => {
    const unconnected: Answer = { status: 503, body: '' };
    for (const finding of await findings({ page: unconnected, config: unconnected }))
      expect(finding).toMatchObject({
        ok: false,
        detail: 'answers 503, not 200',
        fix: expect.stringContaining('npx omi demo connect --stage dev') as unknown,
      });
  });

  test('warns in production and says how to remove it', async () => {
    const warnings = (await findings({ stage: 'production' })).filter(({ warning }) => warning);
    expect(warnings).toMatchObject([
      {
        ok: true,
        detail: expect.stringContaining('without a password') as unknown,
        fix: expect.stringContaining('npx cdk destroy -c stage=production') as unknown,
      },
    ]);
  });
});

describe('on the local stack', () => {
  const stack = useSharedStack();

  test('checks the demo bank as it is', async () => {
    // Other suites leave receivers and targets behind that the checklist may fail.
    const { out } = await omiOn(stack)(['--json', 'doctor']);
    const { findings: all } = JSON.parse(out) as { findings: (Finding & { check: string })[] };
    expect(all.filter(({ check }) => check === 'demo bank')).toMatchObject([
      { subject: `${stack.file.siteUrl}/`, ok: true },
      { subject: `${stack.file.siteUrl}/config.json`, ok: true },
    ]);
  });
});
