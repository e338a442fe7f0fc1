import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, UpdateItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { localTables } from '../../../../tools/local/resources/tables.ts';
import type { Category } from '../../../../core/events/target-ref.ts';
import { recoveryScope, routeScopes } from '../../../../lambdas/routes.ts';
import type { StackDescription } from '../../../../tools/local/stack/stack-file.ts';
import { requestToken } from '../../../../client/access-token.ts';
import { SimulatedDevice } from '../../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../../client/http.ts';
import { WebsiteClient } from '../../../../client/website-client.ts';
import { createdEvent } from '../../../contract/events/event.ts';
import { recordsOf } from '../../../contract/export/consumer.ts';
import { Register } from '../../../contract/export/register.ts';
import { testPorts } from './ports.ts';
import {
  familyOf,
  isRunning,
  refusedStart,
  RunningStack,
  startScript,
  websiteVariablesIn,
} from './running.ts';
import { until } from '../../../support/waiting.ts';

let folder: string;
let state: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-start-'));
  [state, data] = [join(folder, 'state'), join(folder, 'data')];
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const tokenOf = async ({ tokenUrl, tenants: [tenant] }: StackDescription, scope?: string) =>
  bodyOf(await requestToken({ tokenUrl, clientId: '', clientSecret: '', ...tenant }, scope ? { scope } : {}));
const websiteOf = ({ baseUrl, tokenUrl, tenants: [tenant] }: StackDescription) =>
  new WebsiteClient({ baseUrl, tokenUrl, clientId: '', clientSecret: '', ...tenant });
const phone = new SimulatedDevice({ name: "Bella's phone" });
const devicesOf = async ({ baseUrl }: StackDescription, token: string) =>
  await fetch(`${baseUrl}/omi/users/anna/devices`, { headers: { authorization: `Bearer ${token}` } });
const awsOf = ({ aws: { region, endpoints } }: StackDescription, service: 'dynamodb' | 'sns') => ({
  region,
  endpoint: endpoints[service],
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const refsOf = ({ exports }: StackDescription) =>
  exports.map(({ tenantId, category }) => ({ tenantId, category: category as Category }));
const statesOf = async (description: StackDescription) => {
  const register = new Register(description);
  const targets = refsOf(description).map(async (ref) => await register.find(ref));
  return (await Promise.all(targets)).map(({ state }) => state);
};
const tenantsTable = 'omi-local-tenants';
const demoProfile = { pk: { S: 'tenant#6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01' }, sk: { S: 'profile' } };

describe('npm start, with OMI_DATA', () => {
  let stack: RunningStack;
  let description: StackDescription;
  let token: string;

  beforeAll(async () => {
    stack = new RunningStack(['npm', 'start'], state, { OMI_DATA: data, OMI_WARM: undefined });
    description = await stack.ready();
  });
  afterAll(() => {
    stack.child.kill('SIGKILL');
  });

  test('describes itself in a file that only its owner can read', async () => {
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/);
    const tenant = (name: string) => ({
      tenantId: expect.stringMatching(/^[\da-f-]{36}$/),
      name,
      clientId: expect.any(String),
      clientSecret: expect.stringMatching(/^.{32,}$/),
    });
    const exported = (name: string, category: string) => ({
      tenantId: description.tenants.find((one) => one.name === name)?.tenantId,
      category,
    });
    expect(description).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      siteUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      appUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      exportsUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      consoleUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      staff: expect.objectContaining({
        issuer: url,
        clientId: expect.any(String),
        authorizationUrl: url,
        tokenUrl: url,
      }),
      docsUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      requestsUrl: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      tokenUrl: url,
      issuer: url,
      tenants: [tenant('Demo'), tenant('Neighbour'), tenant('Demo bank')],
      exports: [
        { ...exported('Demo', 'public'), kind: 'stream', streamName: expect.any(String) },
        { ...exported('Demo', 'log'), kind: 'bucket', bucket: expect.any(String) },
        { ...exported('Neighbour', 'public'), kind: 'bucket', bucket: expect.any(String) },
        { ...exported('Neighbour', 'log'), kind: 'bucket', bucket: expect.any(String) },
        { ...exported('Demo bank', 'public'), kind: 'stream', streamName: expect.any(String) },
      ],
      aws: {
        region: 'eu-central-1',
        endpoints: {
          ...{ dynamodb: url, kinesis: url, firehose: url, kms: url, s3: url, secretsmanager: url },
          ...{ sns: url, sqs: url, sts: url, cloudwatch: url, eventbridge: url, sesv2: url },
        },
      },
      tables: localTables,
      webPushUrl: url,
      pushesUrl: url,
      mailsUrl: url,
      faultsUrl: url,
      pid: expect.any(Number),
    });
    expect((await stat(join(state, 'stack.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(state)).mode & 0o777).toBe(0o700);
    expect(familyOf(stack.child.pid ?? 0).map(({ pid }) => pid)).toContain(description.pid);
  });

  test('tells a website how to call it', async () => {
    expect(await websiteVariablesIn(state)).toEqual({
      OMI_BASE_URL: description.baseUrl,
      OMI_TOKEN_URL: description.tokenUrl,
      OMI_TENANT_ID: description.tenants[2]?.tenantId,
      OMI_CLIENT_ID: description.tenants[2]?.clientId,
      OMI_CLIENT_SECRET: description.tenants[2]?.clientSecret,
    });
  });

  test('enrols phones', async () => {
    const { qr } = bodyOf(await websiteOf(description).startEnrolment('bella'));
    expect(bodyOf(await phone.enrol(qr)).userId).toBe('bella');
  });

  test('is ready when every target is active', async () => {
    expect(await statesOf(description)).toEqual(['active', 'active', 'active', 'active', 'active']);
    const [, , { bucket: ofPublic } = {}, { bucket: ofLog } = {}] = description.exports;
    expect(ofLog).toBe(ofPublic);
  });

  test('prints its progress, its addresses and the next step', () => {
    const { siteUrl, baseUrl, appUrl, exportsUrl, tokenUrl, tenants } = description;
    for (const told of [
      baseUrl,
      siteUrl,
      appUrl,
      exportsUrl,
      tokenUrl,
      tenants[0]?.clientId,
      tenants[0]?.clientSecret,
      'stack.json',
      'npm run demo',
      `open ${description.siteUrl} `,
      'public: stream omi-local-demo-public, log: bucket omi-local-demo-log',
    ])
      expect(stack.output).toContain(told);
    const [, guide = ''] = /add step-up to a website +(\S+)/.exec(stack.output) ?? [];
    expect(existsSync(guide)).toBe(true);
    expect(stack.output).toMatch(/^ +\d+\.\d s {2}AWS services/m);
    expect(stack.output).toMatch(/^ +\d+\.\d s {2}token issuer/m);
    expect(stack.output).toMatch(/^ +\d+\.\d s {2}\d+ Lambdas bundled/m);
    expect(stack.output).toMatch(/^ +\d+\.\d s {2}web app built/m);
  });

  test('accepts websites with a token of the local issuer', async () => {
    const granted = await tokenOf(description);
    token = granted.access_token;
    expect(granted.scope?.split(' ').toSorted()).toEqual(routeScopes.toSorted());
    const named = await tokenOf(description, [...routeScopes, recoveryScope].join(' '));
    expect(named.scope?.split(' ')).toEqual([...routeScopes, recoveryScope]);
    const answer = await devicesOf(description, token);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ devices: [] });
    const narrow = await tokenOf(description, 'omi:events:post');
    expect((await devicesOf(description, narrow.access_token)).status).toBe(403);
  });

  test("writes the Lambdas' output to a file", async () => {
    expect(await readFile(join(state, 'lambda.log'), 'utf8')).toContain('omi-local-authorize');
    expect(stack.output).not.toContain('omi-local-authorize');
  });

  testPorts(() => description.pid);

  test('rejects a second start in the same folder and names the first', async () => {
    const { code, output } = await refusedStart(state);
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(`^A local stack is already running in ${state} \\(process ${description.pid}\\)\\..*\\n$`),
    );
  });

  test('rejects a start with the same data folder', async () => {
    const { code, output } = await refusedStart(join(folder, 'other'), { OMI_DATA: data });
    expect(code).toBe(1);
    expect(output).toContain(`A local stack is already running in ${data} (process ${description.pid})`);
  });

  test('rejects ports in use, names all of them with a start that works, and leaves no files', async () => {
    const other = join(folder, 'other');
    const [{ port: api }, { port: site }] = [new URL(description.baseUrl), new URL(description.siteUrl)];
    const { code, output } = await refusedStart(other, { OMI_PORT: api, OMI_SITE_PORT: site });
    expect(code).toBe(1);
    expect(output).toContain(
      `Port ${api} is in use by another program. Choose another one for the API with OMI_PORT.\n` +
        `Port ${site} is in use by another program. Choose another one for the demo bank with OMI_SITE_PORT.\n`,
    );
    expect(output).toMatch(/\n {2}OMI_PORT=\d+ OMI_SITE_PORT=\d+ npm start\n/);
    expect(await readdir(other)).toEqual([]);
  });

  test('leaves neither a process nor stack.json when npm is killed', async () => {
    const client = new DynamoDBClient(awsOf(description, 'dynamodb'));
    await client.send(
      new UpdateItemCommand({
        TableName: tenantsTable,
        Key: demoProfile,
        UpdateExpression: 'SET settings.maxDevices = :most',
        ExpressionAttributeValues: { ':most': { N: '7' } },
      }),
    );
    const register = new Register(description);
    const [, , paused] = refsOf(description);
    if (paused) await register.targets.transition(await register.find(paused), 'pause', Date.now());
    const family = familyOf(stack.child.pid ?? 0);
    expect(family.filter(({ command }) => command.includes('java'))).not.toEqual([]);
    stack.child.kill('SIGKILL');
    await until(() => !family.some(isRunning));
    expect(await readdir(state)).not.toContain('stack.json');
    // The port of the API is another one next time.
    expect(await readdir(state)).not.toContain('website.env');
  });

  describe('npm start after a restart', () => {
    let next: RunningStack;
    let nextDescription: StackDescription;

    beforeAll(async () => {
      // Left by a stack that was killed, whose process id belongs to another program now.
      await writeFile(join(state, 'stack.json'), JSON.stringify({ ...description, pid: process.pid }));
      const { port } = new URL(description.baseUrl);
      next = new RunningStack(startScript, state, { OMI_DATA: data, OMI_PORT: port });
      nextDescription = await next.ready();
    });
    afterAll(() => {
      next.child.kill('SIGKILL');
    });

    test('replaces the description that a killed stack left', () => {
      expect(nextDescription.pid).toBe(next.child.pid);
      expect(nextDescription.pushesUrl).not.toBe(description.pushesUrl);
    });

    test('has the same clients, keys and data', async () => {
      expect(nextDescription.tenants).toEqual(description.tenants);
      expect((await devicesOf(nextDescription, token)).status).toBe(200);
      const client = new DynamoDBClient(awsOf(nextDescription, 'dynamodb'));
      const { Item } = await client.send(new GetItemCommand({ TableName: tenantsTable, Key: demoProfile }));
      expect(Item?.['settings']?.M?.['maxDevices']).toEqual({ N: '7' });
    });

    test('has the same phones, and one of them confirms', async () => {
      const nonce = randomUUID();
      const website = websiteOf(nextDescription);
      bodyOf(await website.sendToUser('bella', { message: 'Still here?', nonce }));
      const { challenges } = bodyOf(await phone.challenges());
      for (const challenge of challenges) bodyOf(await phone.confirm(challenge));
      expect(bodyOf(await website.getConfirmation(nonce)).status).toBe('confirmed');
    });

    test('keeps its exports, except paused ones', async () => {
      expect(nextDescription.exports).toEqual(description.exports);
      expect(await statesOf(nextDescription)).toEqual(['active', 'active', 'paused', 'active', 'active']);
      const { tenants, exports } = nextDescription;
      const event = createdEvent(tenants[0]?.tenantId ?? '');
      const website = websiteOf(nextDescription);
      expect(bodyOf(await website.recordEvents([event]))).toEqual({ accepted: 1 });
      await recordsOf(nextDescription, exports[0]?.streamName ?? '', [event]);
    });

    test('ends with one line and exit code 1 when Java crashes', async () => {
      const family = familyOf(nextDescription.pid);
      const java = family.find(({ command }) => command.includes('java'));
      const before = next.output;
      process.kill(java?.pid ?? 0, 'SIGKILL');
      expect(await next.exited).toEqual([1, null]);
      // Calls in progress may also log a line each.
      const said = next.output.slice(before.length).split('\n');
      expect(said.filter((line) => !/^dynamodb: | will be retried: /.test(line))).toEqual([
        expect.stringMatching(/^The local stack stops: .*DynamoDB Local/),
        '',
      ]);
      await until(() => !family.some(isRunning));
      expect(await readdir(state)).not.toContain('stack.json');
      expect(await websiteVariablesIn(state)).toMatchObject({ OMI_BASE_URL: description.baseUrl });
    });
  });
});
