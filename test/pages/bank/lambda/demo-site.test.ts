/** The demo bank on AWS: its bundle, as it is deployed, beside the local stack's API, tokens, secrets and DynamoDB. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoAccess } from '../../../../pages/bank/lambda/access.ts';
import { Device, scan, WebCryptoKey } from '#device';
import { tableInput } from '../../../../tools/local/resources/tables.ts';
import type { Connection } from '../../../../pages/bank/lambda/connection.ts';
import { demoTable } from '../../../../pages/bank/lambda/tables.ts';
import { siteHeaders } from '../../../../pages/bank/headers.ts';
import { placeOf } from '../../../cli/commands/tables.ts';
import { serveControlPlane } from '../../../cli/control-plane.ts';
import { omiOfStage, outputsOf } from '../../../cli/deployed-stage.ts';
import { recordedCalls } from '../../../support/recorded-calls.ts';
import { useSharedStack } from '../../../support/use-stack.ts';
import { buildDemoLambda, DemoLambda, origin, type Sent } from './demo-lambda.ts';

const stack = useSharedStack();
const table = `demo-${randomUUID()}`;
/** Nobody else calls with this key. */
const accessKeyId = `DEMO${randomUUID().replaceAll('-', '').toUpperCase()}`;

let built: Awaited<ReturnType<typeof buildDemoLambda>>;
let dynamodb: DynamoDBClient;
let secretArn: string;
const lambdas: DemoLambda[] = [];

async function startLambda(): Promise<DemoLambda> {
  const { endpoints } = stack.file.aws as { endpoints: Record<string, string> };
  const lambda = await DemoLambda.start(built.folder, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints['dynamodb'],
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints['secretsmanager'],
    DEMO_TABLE: table,
    DEMO_SECRET_ARN: secretArn,
  });
  lambdas.push(lambda);
  return lambda;
}

beforeAll(async () => {
  built = await buildDemoLambda();
  dynamodb = new DynamoDBClient(placeOf(stack, 'dynamodb'));
  await dynamodb.send(new CreateTableCommand(tableInput(demoTable, table)));
  const secrets = new SecretsManagerClient(placeOf(stack, 'secretsmanager'));
  const { ARN = '' } = await secrets.send(new CreateSecretCommand({ Name: table }));
  secrets.destroy();
  secretArn = ARN;
});

afterAll(async () => {
  await Promise.all(lambdas.map(async (lambda) => await lambda.stop()));
  await dynamodb.send(new DeleteTableCommand({ TableName: table }));
  dynamodb.destroy();
  built.remove();
});

async function connect(): Promise<void> {
  const outputs = { ...(await outputsOf(stack)), AppUrl: stack.file.appUrl };
  const demo = { DemoUrl: origin, DemoSecret: secretArn };
  const others = { mappings: {}, alarms: [], deletedAlarms: [], applications: [] };
  const { url: controlPlane, close } = await serveControlPlane({ name: 'omi-dev', outputs, demo, ...others });
  const { code, err } = await omiOfStage(
    stack,
    ['--region', 'eu-central-1', 'demo', 'connect'],
    controlPlane,
  );
  await close();
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
}

/** A browser at the demo bank, whose requests reach the Lambdas in turn. */
class Visitor {
  readonly #cookies = new Map<string, string>();
  #count = 0;

  async fetch(path: string, sent: Sent = {}): Promise<Response> {
    const lambda = lambdas[(this.#count += 1) % lambdas.length];
    if (!lambda) throw new Error('No Lambda runs.');
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const isChange = sent.method !== undefined && sent.method !== 'GET';
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...{ 'sec-fetch-site': 'same-origin', 'omi-page': '1', ...(isChange && { origin }) },
      ...sent.headers,
    };
    const response = await lambda.fetch(path, { ...sent, headers });
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return response;
  }

  #keep(set: string): void {
    expect(set).toMatch(/^__Host-.*; Path=\/;.*HttpOnly; SameSite=Strict; Secure/);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  async post(path: string, fields: Record<string, string>): Promise<Response> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return await this.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
  }

  async json<Shape>(path: string): Promise<Shape> {
    const response = await this.fetch(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as Shape;
  }

  async signIn(index = 0): Promise<void> {
    const { users } = await this.json<{ users: { userId: string }[] }>('/bank/session');
    const body = JSON.stringify({ userId: users[index]?.userId });
    const headers = { 'content-type': 'application/json' };
    const response = await this.fetch('/bank/sign-in', { method: 'POST', headers, body });
    expect(response.status).toBe(204);
  }

  /** What the page's phone sends. It calls the bank's own origin. */
  readonly phoneFetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init.headers));
    const body = typeof init.body === 'string' ? { body: init.body } : {};
    return await this.fetch(pathname + search, { method: init.method ?? 'GET', headers, ...body });
  };
}

type Account = { user: object; devices: object[]; payments: object[] };

test('the code is small, because visitors wait for the cold start', () => {
  const sizes = readdirSync(built.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stats: statSync(join(built.folder, name)) }))
    .filter(({ name, stats }) => stats.isFile() && !name.endsWith('.map'))
    .map(({ name, stats }) => ({ name, size: stats.size }));
  // 21 KB of it are Hono, which routes the bank's paths.
  expect(sizes.find(({ name }) => name === 'index.mjs')?.size).toBeLessThanOrEqual(292_000);
  const page = sizes.filter(({ name }) => name.startsWith('page/')).reduce((sum, { size }) => sum + size, 0);
  // With the phone, which is the web app in five languages. A file is read when it is asked for.
  expect(page).toBeLessThanOrEqual(377_000);
});

test('the site states how to connect it before it is connected', async () => {
  const lambda = await startLambda();
  const response = await lambda.fetch('/');
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npx omi demo connect');
  expect(response.headers.get('content-security-policy')).toBe(siteHeaders['Content-Security-Policy']);
});

describe('the connected site', () => {
  beforeAll(async () => {
    await connect();
    await startLambda();
  });

  test('serves the page with the headers of its origin, compressed, and only what has changed', async () => {
    const visitor = new Visitor();
    const page = await visitor.fetch('/', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      ...Object.fromEntries(Object.entries(siteHeaders).map(([name, value]) => [name.toLowerCase(), value])),
      'content-type': expect.stringContaining('text/html') as unknown,
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
    });
    const html = await page.text();
    expect(html).toBe(readFileSync(join(built.folder, 'page/index.html'), 'utf8'));
    const etag = page.headers.get('etag') ?? '';
    expect((await visitor.fetch('/', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('serves a page that requests few files, which all exist', async () => {
    const visitor = new Visitor();
    const html = await (await visitor.fetch('/')).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = '']) => path);
    expect(paths).toContain('/assets/page.js');
    // Links lead to the page itself, until its script knows where to.
    const loaded = new Set(paths.filter((path) => path !== '/'));
    for (const path of loaded) {
      const response = await visitor.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      if (!path.endsWith('.js')) continue;
      const script = await response.text();
      for (const [, imported = ''] of script.matchAll(/\b(?:from|import)\s*"([./][^"]+)"/g))
        loaded.add(imported);
    }
    // Each is a call of the Lambda.
    expect(loaded.size).toBeLessThanOrEqual(3);
  });

  test.each(['/index.mjs', '/../index.mjs', '/page/index.html', '/nothing', '/main.js.map'])(
    'has no %s',
    async (path) => {
      expect((await new Visitor().fetch(path)).status).toBe(404);
    },
  );

  test('only allows reading files', async () => {
    expect((await new Visitor().post('/index.html', {})).status).toBe(405);
  });

  test('names its service, and no secret', async () => {
    const config = await new Visitor().json<Connection>('/config.json');
    const { baseUrl, appUrl } = stack.file;
    expect(config).toEqual({
      baseUrl,
      appUrl,
      tenantId: expect.any(String),
      tenantName: 'Demo bank',
      hasEvents: false,
      hasOwnUsers: true,
    });
  });

  describe('a visitor', () => {
    const visitor = new Visitor();
    const stranger = new Visitor();
    const payment = { action: 'payment', to: 'Café Zoë', amount: '20' };
    let phone: Device;
    let paid: string;

    /** The user asks for something, and confirms it on the phone. */
    async function confirm(fields: Record<string, string>): Promise<string> {
      const asked = await visitor.post('/step-up/confirmations', fields);
      expect(asked.status).toBe(201);
      const { id, matchCode } = (await asked.json()) as { id: string; matchCode?: string };
      const [challenge] = await phone.challenges();
      if (!challenge) throw new Error('The phone has nothing to answer.');
      const number = matchCode === undefined ? {} : { number: matchCode };
      await phone.answer(challenge, { decision: 'confirm', ...number });
      let status = 'pending';
      while (status === 'pending')
        ({ status } = await visitor.json<{ status: string }>(`/step-up/confirmations/${id}`));
      expect(status).toBe('confirmed');
      return id;
    }

    test('signs in, and enrols the phone of the page, which calls only the bank', async () => {
      await visitor.signIn();
      const response = await visitor.fetch('/step-up/enrolments', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(response.status).toBe(201);
      const { link } = (await response.json()) as { link: string };
      const key = await WebCryptoKey.generate();
      const connection = { key, fetch: visitor.phoneFetch };
      phone = await Device.enrol(scan(link), { name: 'Page', platform: 'web' }, connection);
      const { devices } = await visitor.json<{ devices: { deviceId: string }[] }>('/bank/account');
      expect(devices).toMatchObject([{ deviceId: phone.identity.deviceId, name: 'Page' }]);
    });

    test('pays once with the confirmed request', async () => {
      paid = await confirm(payment);
      const form = { ...payment, 'omi-confirmation': paid };
      const answers = await Promise.all([1, 2].map(async () => await visitor.post('/bank/payments', form)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const { payments } = await visitor.json<{ payments: object[] }>('/bank/account');
      expect(payments).toMatchObject([{ to: 'Café Zoë', amount: 20 }]);
    });

    test('raises the limit with number matching', async () => {
      const asked = await visitor.post('/step-up/confirmations', { action: 'limit', amount: '900' });
      const { id, matchCode } = (await asked.json()) as { id: string; matchCode: string };
      expect(matchCode).toMatch(/^\d+$/);
      await visitor.fetch(`/step-up/confirmations/${id}`, { method: 'DELETE' });
      const confirmed = await confirm({ action: 'limit', amount: '900' });
      const form = { action: 'limit', amount: '900', 'omi-confirmation': confirmed };
      expect((await visitor.post('/bank/limit', form)).status).toBe(200);
    });

    test('sees the calls in an answer that ends, and only new ones in the next', async () => {
      const first = await visitor.fetch('/bank/live');
      expect(first.headers.get('content-type')).toBe('text/event-stream');
      const text = await first.text();
      expect(text).toMatch(/^event: call$/m);
      expect(text).toContain('/omi/push/user/');
      expect(text).toMatch(/retry: 2000\n\n$/);
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      const headers = { 'last-event-id': String(ids.at(-1)) };
      expect(await (await visitor.fetch('/bank/live', { headers })).text()).not.toContain('event: call');
    });

    test('is isolated: another visitor has neither the session nor its calls', async () => {
      expect((await stranger.fetch('/bank/live')).status).toBe(401);
      await stranger.signIn(1);
      expect(await (await stranger.fetch('/bank/live')).text()).not.toContain('event: call');
      expect((await stranger.fetch(`/step-up/confirmations/${paid}`)).status).toBe(404);
    });

    test('has own users, also after signing in again', async () => {
      const other = new Visitor();
      await other.signIn();
      const { devices, payments, user } = await other.json<Account>('/bank/account');
      expect({ devices, payments }).toEqual({ devices: [], payments: [] });
      await visitor.signIn();
      const own = await visitor.json<Account>('/bank/account');
      expect(own.user).toEqual(user);
      expect(own.devices).toHaveLength(1);
    });

    test('cannot sign in as the user of another visitor', async () => {
      const thief = new Visitor();
      const { userId } = phone.identity;
      expect(userId).toMatch(/^customer-\d+\.[\w-]{22}$/);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ userId });
      await thief.fetch('/bank/sign-in', { method: 'POST', headers, body });
      const { devices } = await thief.json<Account>('/bank/account');
      expect(devices).toEqual([]);
    });

    test('is protected from other sites', async () => {
      const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const response = await visitor.fetch('/bank/sign-out', { method: 'POST', headers });
      expect(response.status).toBe(403);
    });

    test('signs out', async () => {
      const response = await visitor.fetch('/bank/sign-out', { method: 'POST' });
      expect(response.status).toBe(204);
      expect((await visitor.fetch('/bank/account')).status).toBe(401);
    });
  });

  test('a call of a device that the API refuses is refused in the same way', async () => {
    const response = await new Visitor().fetch('/omi/device/challenges', {
      headers: { authorization: 'OMI-Device x' },
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'invalid-signature' });
  });

  test('exactly the given permissions are used', async () => {
    const calls = (await recordedCalls(stack)).filter(({ caller }) => caller === accessKeyId);
    const used = new Set(calls.map(({ service, operation }) => `${service}:${operation}`));
    const allowed = demoAccess.map((action) => `dynamodb:${action}`);
    expect([...used].sort()).toEqual([...allowed, 'secretsmanager:GetSecretValue'].sort());
  });

  test('no log line contains a secret of a visitor or of the service', () => {
    const logs = lambdas.map(({ log }) => log).join('');
    expect(logs).not.toMatch(/__Host-|Bearer|omi-confirmation|Café|nonce/);
  });
});
