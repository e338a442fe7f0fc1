import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { requestToken } from '../../../../client/access-token.ts';
import { scan } from '#device';
import { bodyOf } from '../../../../client/http.ts';
import { WebsiteClient } from '../../../../client/website-client.ts';
import type { StackDescription } from '../../../../tools/local/stack/stack-file.ts';
import { enrolDevice } from '../../../contract/scenario.ts';
import { payWithAgent } from '../../../docs/agents/ai-agent-story.ts';
import { PaymentsServer } from '../../../docs/agents/payments-server.ts';
import { emulatorSettings, sharedOfRun } from '../../../support/run-services.ts';
import { localhostCertificateFile, startTlsProxy, type TlsProxy } from '../../../support/tls-proxy.ts';
import { Visitor } from '../../../pages/bank/visitor.ts';
import { RunningStack, startScript } from './running.ts';
import { until } from '../../../support/waiting.ts';

let state: string;
let api: TlsProxy;
let app: TlsProxy;
let stack: RunningStack;
let description: StackDescription;
let address: string;

/** What a proxy in front of this URL forwards to, as the terminal says it. */
const addressOf = (url: string): string =>
  new RegExp(`${url} \\(forward it to (http://[^)]+)\\)`).exec(stack.output)?.[1] ?? '';

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'omi-public-'));
  [api, app] = await Promise.all([startTlsProxy(), startTlsProxy()]);
  stack = new RunningStack(startScript, state, {
    OMI_BASE_URL: api.url,
    OMI_APP_URL: app.url,
    OMI_BUNDLES: await sharedOfRun('bundles'),
    ...(await emulatorSettings()),
  });
  description = await stack.ready();
  await until(() => stack.output.includes('Next'));
  address = addressOf(api.url);
  api.forwardTo(address);
  app.forwardTo(addressOf(app.url));
});
afterAll(async () => {
  stack.child.kill('SIGTERM');
  await stack.exited;
  await Promise.all([api.close(), app.close()]);
  await rm(state, { recursive: true, force: true });
});

/** Node.js reads the certificates that it trusts when it starts. */
async function runs(...args: string[]): Promise<{ code: unknown; output: string }> {
  const env = {
    ...process.env,
    NODE_ENV: undefined,
    OMI_STATE: state,
    NODE_EXTRA_CA_CERTS: localhostCertificateFile,
  };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

test('stack.json has the public URLs, and the issuer of access tokens stays on this machine', () => {
  expect(description).toMatchObject({ baseUrl: api.url, appUrl: app.url });
  expect(description.tokenUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test('the whole flow works through a TLS proxy, whose base URL is aud and htu of what devices sign', async () => {
  const { code, output } = await runs('tools/local/demo/demo.ts');
  expect([code, output]).toEqual([0, expect.stringContaining('steps succeeded')]);
});

test('the demo bank calls the API on this machine, and its links are for the public URLs', async () => {
  const visitor = new Visitor(description.siteUrl);
  await visitor.signIn('customer-2071');
  // The stack does not trust the certificate of the proxy, so a call through it would fail.
  expect(await visitor.account()).toMatchObject({ devices: [] });
  const { link } = (await visitor.startEnrolment()).body;
  expect(link.startsWith(`${app.url}/enrol#v=1&`)).toBe(true);
  expect(scan(link).baseUrl).toBe(api.url);
});

test('access tokens and the links in QR codes are for the public URLs', async () => {
  const credentials = { clientId: '', clientSecret: '', ...description.tenants[0] };
  const { tokenUrl } = description;
  const { access_token: token } = bodyOf(await requestToken({ ...credentials, tokenUrl }));
  expect(decodeJwt(token).aud).toBe(api.url);
  const website = new WebsiteClient({ baseUrl: address, token: async () => await Promise.resolve(token) });
  const { qr } = bodyOf(await website.startEnrolment('anna'));
  expect(qr.startsWith(`${app.url}/enrol#v=1&`)).toBe(true);
  expect(scan(qr).baseUrl).toBe(api.url);
});

test('an agent that uses @auth0/ai pays what its user approved on the phone, and nothing else', async () => {
  // For this process, whose phone calls the proxy.
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(localhostCertificateFile, 'utf8')]);
  const [{ tenantId, clientId, clientSecret } = { tenantId: '', clientId: '', clientSecret: '' }] =
    description.tenants;
  const { tokenUrl } = description;
  const phone = await enrolDevice(new WebsiteClient({ baseUrl: address, tokenUrl, clientId, clientSecret }));
  const payments = await PaymentsServer.start({
    OMI_BASE_URL: api.url,
    OMI_TENANT_ID: tenantId,
    OMI_CLIENT_ID: clientId,
    NODE_EXTRA_CA_CERTS: localhostCertificateFile,
  });
  try {
    const certificateFile = localhostCertificateFile;
    const settings = { issuer: api.url, clientId, clientSecret, paymentsUrl: payments.url, certificateFile };
    await payWithAgent(settings, phone);
  } finally {
    await payments.stop();
  }
});

test.each([
  ['the host of the proxy', () => ({ host: new URL(api.url).host }), 401],
  ['its own host, which some proxies send', () => ({ host: new URL(address).host }), 401],
  ['the origin of the proxy', () => ({ host: new URL(api.url).host, origin: api.url }), 401],
  ['a foreign host', () => ({ host: 'attacker.example' }), 403],
  ['the host of the other proxy', () => ({ host: new URL(app.url).host }), 403],
  ['a foreign origin', () => ({ host: new URL(api.url).host, origin: app.url }), 403],
])('the API answers calls with %s', async (_, headersOf, status) => {
  const headers = { ...headersOf() };
  const sent = request(`${address}/omi/users/anna/devices`, { headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});
