/** A rehearsal with two regions: the first one is lost, and the stage goes on in the second, from copies of its tables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as callTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Challenge, Confirmation } from '../../client/contract.ts';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { type TableName, tables as definitions } from '../../core/aws/tables.ts';
import { rfc3339 } from '../../core/kernel/time.ts';
import { openExport } from '../../tools/local/client/export-reader.ts';
import { localTables, tableInput } from '../../tools/local/resources/tables.ts';
import { type DeployedStack, serveControlPlane } from '../cli/control-plane.ts';
import { environmentOf, outputsOf } from '../cli/deployed-stage.ts';
import { jsonOn } from '../cli/omi.ts';
import { type AwsBackup, type RecoveryPoint, startAwsBackup } from '../support/aws-backup.ts';
import { OwnStack } from '../support/own-stack.ts';
import { accepting, Receiver } from '../support/receiver.ts';
import { until } from '../support/waiting.ts';
import { CallbackWebsite } from './callbacks/website.ts';
import { challengedDevice, enrolDevice, poll, push, pushAndConfirm } from './scenario.ts';

const [here, there] = ['eu-central-1', 'eu-west-1'] as const;
const names = Object.keys(definitions) as TableName[];
const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };

let folder = '';
let lost: OwnStack;
let stack: OwnStack;
let backup: AwsBackup;
let receiver: Receiver;
let website: CallbackWebsite;
let device: SimulatedDevice;
let confirmed: Confirmation;
/** Answered in the first region after the copies were made. It had not called back when it was lost. */
let open: { device: SimulatedDevice; sent: Confirmation; challenge: Challenge };
/** Accepted in the first region, whose exporter had not sent it when the region was lost. */
let unsent: Confirmation;
let tables: Record<string, string> = {};
/** Whether the account can have no more tables. */
let isFull = false;
/** DynamoDB in each region. A region without an entry does not answer. */
const databases: Partial<Record<string, string>> = {};
const closing: (() => Promise<void>)[] = [];
const controlPlane: DeployedStack = {
  ...{ name: 'omi-local', outputs: {}, missing: 'data' },
  ...{ mappings: {}, alarms: [], deletedAlarms: [], applications: [] },
};

const databaseOf = ({ file: { aws } }: OwnStack): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: aws.region, endpoint: aws.endpoints.dynamodb, credentials }),
  );

/** DynamoDB of all regions: a request goes to the one for which it is signed. */
async function startRegions(): Promise<string> {
  const server = createServer((request, response) => {
    const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const database = databases[region];
    if (database === undefined) {
      request.socket.destroy();
      return;
    }
    const { method, headers } = request;
    const host = { host: new URL(database).host };
    const call = callTo(database, { method, headers: { ...headers, ...host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(call);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.resolve();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** As AWS restores a table: without stream and time to live. */
async function restore({ arn }: RecoveryPoint, tableName: string): Promise<void> {
  const { name, items } = copied.get(arn) ?? {};
  if (isFull) throw new Error('The table limit is exceeded.');
  if (name === undefined || items === undefined) throw new Error(`There is no copy ${arn}.`);
  const client = databaseOf(stack);
  const { stream: _, ...definition }: { stream?: unknown } & (typeof definitions)[TableName] =
    definitions[name];
  await client.send(new CreateTableCommand(tableInput(definition, tableName)));
  for (let begin = 0; begin < items.length; begin += 25) {
    const requests = items.slice(begin, begin + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
  client.destroy();
}

const copied = new Map<string, { name: TableName; items: Record<string, unknown>[] }>();

/** What AWS Backup does each hour. */
async function copyTables(): Promise<void> {
  const client = databaseOf(lost);
  for (const name of names) {
    const items: Record<string, unknown>[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName: localTables[name] }))
      items.push(...Items);
    const arn = `arn:aws:backup:${there}:000000000000:recovery-point:${name}`;
    copied.set(arn, { name, items });
    const table = `arn:aws:dynamodb:${here}:000000000000:table/${localTables[name]}`;
    backup.points.push({ arn, table, at: Date.now() });
  }
  client.destroy();
}

type Answer = { code: number | null; out: string; err: string };

/** The command in a process of its own, as a person would run it; killed when it says so. */
async function omi(args: readonly string[], { killAt }: { killAt?: string } = {}): Promise<Answer> {
  const child = spawn(process.execPath, ['bin/omi.ts', ...args], { env: environment() });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
    if (killAt !== undefined && said.err.includes(killAt)) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

let urls = { plane: '', regions: '' };
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...environmentOf(stack, urls.plane),
  ...{ AWS_ENDPOINT_URL_DYNAMODB: urls.regions, AWS_ENDPOINT_URL_BACKUP: backup.url },
});
const command = ['--stage', 'local', '--region', there, '--json', 'restore', '--lost-region', here];
type Restored = { tables: Record<string, string>; fenced: boolean; ended: { confirmations: number } };

/** The types of the events of a confirmation that were sent from a stack. */
async function exportedFrom(from: OwnStack, { challengeId }: Confirmation): Promise<string[]> {
  const [{ tenantId }] = from.file.tenants;
  const reader = await openExport(from.file, { tenantId, category: 'public', from: 'beginning' });
  const events = await reader.read();
  reader.close();
  return events
    .filter(({ metadata }) => metadata.aggregateId === challengeId)
    .map(({ metadata }) => metadata.type);
}

const faults = async (method: string, path = '', fault?: object): Promise<{ id: string }> => {
  const body = fault && JSON.stringify(fault);
  const response = await fetch(`${lost.file.faultsUrl}${path}`, { method, ...(body && { body }) });
  return method === 'POST' ? ((await response.json()) as { id: string }) : { id: '' };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omi-regions-'));
  lost = new OwnStack({ dataDirectory: join(folder, here) });
  await lost.start();
  receiver = await Receiver.start(accepting);
  website = await CallbackWebsite.open(lost, receiver.url);
  device = await enrolDevice(lost.website);
  confirmed = await pushAndConfirm(lost.website, device);
  open = await challengedDevice(website.client, { expiresIn: 300 });
  await faults('POST', '', {
    ...{ service: 'dynamodb', operation: 'BatchGetItem', resource: localTables.tenants },
    fault: 'unavailable',
  });
  unsent = await push(lost.website, await enrolDevice(lost.website), { expiresIn: 300 });
  backup = await startAwsBackup(restore);
  await copyTables();
  expect((await open.device.confirm(open.challenge)).status).toBeLessThan(300);

  // The replicas of the keys.
  stack = new OwnStack({ dataDirectory: join(folder, there) });
  await mkdir(join(folder, there));
  await copyFile(join(folder, here, 'kms.json'), join(folder, there, 'kms.json'));
  await stack.start();
  databases[there] = stack.file.aws.endpoints.dynamodb;
  controlPlane.outputs = await outputsOf(stack);
  controlPlane.copies = {
    ...{
      LostRegion: here,
      CopiesVault: 'omi-local-copies',
      RestoreRoleArn: 'arn:aws:iam::000000000000:role/r',
    },
    ...{ WebPushSecretArn: 'arn', SecretsKeyId: `mrk-${'0'.repeat(32)}` },
    ...Object.fromEntries(
      names.map((name) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}Table`, localTables[name]]),
    ),
  };
  const plane = await serveControlPlane(controlPlane);
  closing.push(plane.close, backup.close, async () => await receiver.close());
  urls = { plane: plane.url, regions: await startRegions() };
});
afterAll(async () => {
  delete process.env['OMI_TABLES'];
  for (const close of closing) await close();
  await Promise.all([lost.stop(), stack.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const restoredTables = async (): Promise<string[]> => {
  const client = databaseOf(stack);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  client.destroy();
  return TableNames.filter((name) => name.includes('-at-'));
};

describe('before the stage is restored', () => {
  test('a dry run shows the age of each copy, and does nothing', async () => {
    const { code, out, err } = await omi([...command, '--dry-run']);
    expect({ code, restored: (JSON.parse(out) as { restored: boolean }).restored }).toEqual({
      code: 0,
      restored: false,
    });
    for (const name of names) expect(err).toMatch(new RegExp(`^${name} +\\S+Z +\\d+ min`, 'm'));
    expect(backup.jobs).toEqual([]);
  });

  test('tables without a copy are named', async () => {
    const before = rfc3339(Date.now() - 3_600_000);
    expect(await omi([...command, '--at', before, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`no complete copy of ${names.join(', ')} until`),
    });
  });

  test('a lost region that does not answer is fenced later, if the operator says so', async () => {
    const { code, err } = await omi([...command, '--yes']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('pass --unreachable') });
    expect(await restoredTables()).toEqual([]);
  });

  test('a stage that has tenants in the second region loses nothing', async () => {
    delete controlPlane.missing;
    const { code, err } = await omi([...command, '--unreachable', '--yes']);
    controlPlane.missing = 'data';
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('tenants of its own') });
  });
});

describe('after the region was lost', () => {
  test('a job that fails is named', async () => {
    isFull = true;
    const { code, err } = await omi([...command, '--unreachable', '--yes']);
    isFull = false;
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/could not restore omi-local-\w+-at-\S+: .*limit is exceeded/),
    });
  });

  test('the next runs make each table once: two at once, of which one is killed, and one more', async () => {
    const failed = backup.jobs.length;
    const args = [...command, '--unreachable', '--yes'];
    const [, other] = await Promise.all([omi(args, { killAt: 'complete after' }), omi(args)]);
    const results = [other, await omi(args)].map(({ out, err, code }) => {
      expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
      return JSON.parse(out) as Restored;
    });
    for (const result of results) {
      expect(result.fenced).toBe(false);
      expect(Object.keys(result.tables).sort()).toEqual([...names].sort());
      tables = { ...result.tables, ...tables };
      expect(result.tables).toEqual(tables);
    }
    expect(backup.jobs.slice(failed).map(({ status }) => status)).toEqual(names.map(() => 'COMPLETED'));
  });

  test('the stage in the second region lists the devices, and has what was confirmed', async () => {
    await stack.stop();
    process.env['OMI_TABLES'] = JSON.stringify(tables);
    stack = new OwnStack({ dataDirectory: join(folder, there) });
    await stack.start();
    databases[there] = stack.file.aws.endpoints.dynamodb;
    const { userId, deviceId } = device.identity;
    expect((await stack.website.listDevices(userId)).body).toMatchObject({ devices: [{ deviceId }] });
    expect(await poll(stack.website, confirmed.nonce)).toMatchObject({ status: 'confirmed' });
  });

  test('nothing is confirmed twice: what was open is withdrawn, and told to the website', async () => {
    const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', website.tenantId, '--name', 'second', '--scope', 'all'],
    );
    const client = new WebsiteClient({ ...stack.file, ...made });
    expect(await poll(client, open.sent.nonce)).toMatchObject({ status: 'cancelled', reason: 'withdrawn' });
    Object.assign(open.device.identity, { baseUrl: stack.file.baseUrl });
    expect(await open.device.confirm(open.challenge)).toMatchObject({
      status: 409,
      body: { code: 'already-decided' },
    });
    const [call] = await receiver.until(1, open.sent.challengeId);
    expect(call?.body.type).toBe('confirmation.cancelled');
  });

  test('exactly one region goes on: the command fences the lost one as soon as it answers, and sends again', async () => {
    databases[here] = lost.file.aws.endpoints.dynamodb;
    delete controlPlane.missing;
    controlPlane.outputs = {
      ...(await outputsOf(stack)),
      ...Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [
          `${name.charAt(0).toUpperCase()}${name.slice(1)}Table`,
          table,
        ]),
      ),
    };
    // The user pool is new: one client was made in it, and no secret of the others ends before the operator decides.
    const { code, err } = await omi([...command, '--yes']);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('take no more calls') });
    expect(err).toContain('lacks clients of the stage');
    type Decisions = { clients: { secrets: string[]; undecided: { clientId: string }[]; remade: object[] } };
    const decisionsOf = async (...more: string[]) =>
      (JSON.parse((await omi([...command, ...more])).out) as Decisions).clients;
    const { undecided, secrets } = await decisionsOf('--dry-run');
    expect(secrets.length).toBeGreaterThan(0);
    const named = undecided.flatMap(({ clientId }) => ['--client', clientId]);
    expect(await decisionsOf(...named, '--yes')).toMatchObject({ undecided: [] });
    // The exporter of the lost region works again, but may not read whereto.
    const [fault] = (await (await fetch(lost.file.faultsUrl)).json()) as { id: string }[];
    await faults('DELETE', `/${fault?.id}`);
    expect((await lost.website.getConfirmation(confirmed.nonce)).status).toBeGreaterThanOrEqual(500);
    await until(
      async () => (await exportedFrom(stack, unsent)).length === 2,
      'the events of the lost region',
    );
    expect((await exportedFrom(stack, unsent)).toSorted()).toEqual([
      'PushNotificationCancelledEvent',
      'PushNotificationSentEvent',
    ]);
    const refused = /omi-local-export-events".*AccessDenied/;
    await until(async () => refused.test(await lost.log()), 'the exporter of the lost region is refused');
    expect(await exportedFrom(lost, unsent)).toEqual([]);
    expect(receiver.about(open.sent.challengeId)).toHaveLength(1);
  });
});
