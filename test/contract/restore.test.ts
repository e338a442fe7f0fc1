/** A rehearsal of the worst day: a table is destroyed, and the stage goes back to a moment before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, paginateScan, DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Exports, verifyTree } from '#consumer';
import { hours, rfc3339, seconds } from '../../core/kernel/time.ts';
import { localTables } from '../../tools/local/resources/tables.ts';
import { openExport } from '../../tools/local/client/export-reader.ts';
import type { Challenge, Confirmation } from '../../client/contract.ts';
import type { ExportedEvent } from '../../client/exported-events.ts';
import type { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { OwnStack } from '../support/own-stack.ts';
import { keysOf } from '../support/service-keys.ts';
import { until } from '../support/waiting.ts';
import { jsonOn, omiOn } from '../cli/omi.ts';
import { enrolDevice, openChallenge, poll, push, pushAndConfirm } from './scenario.ts';

const backups = 's3://omi-backups';

const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };

let data = '';
let stack: OwnStack;
let client: DynamoDBClient;
/** To which the stage goes back. */
let at = 0;

type MadeClient = { clientId: string; clientSecret: string };

type Asked = { device: SimulatedDevice; sent: Confirmation; challenge: Challenge };
let answeredLater: Asked;
let open: Asked;
let before: Confirmation[] = [];
let after: Confirmation;
/** Made and deleted after the moment. */
let recent: MadeClient;
let deleted: MadeClient;
let tables: Record<string, string> = {};
/** Of the log of public events before it went back. The stage had another port. */
let checkpoint = '';
let formerBaseUrl = '';

/** What the tenant's consumer has, over all lives of the stack. */
const copy: ExportedEvent[] = [];

const start = async (): Promise<void> => {
  stack = new OwnStack({ dataDirectory: data });
  await stack.start();
  const { region, endpoints } = stack.file.aws;
  client = new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials });
};

const makeClient = async (name: string): Promise<MadeClient> =>
  await jsonOn(stack)('client', 'create', stack.file.tenants[0].tenantId, '--name', name, '--scope', 'all');

async function ask(): Promise<Asked> {
  const device = await enrolDevice(stack.website);
  const sent = await push(stack.website, device, { expiresIn: 300 });
  return { device, sent, challenge: await openChallenge(device) };
}

async function readCopy(): Promise<void> {
  const [{ tenantId }] = stack.file.tenants;
  const reader = await openExport(stack.file, { tenantId, category: 'public', from: 'beginning' });
  copy.splice(0, copy.length, ...(await reader.read()));
  reader.close();
}

const exportsOf = (): Exports =>
  new Exports({ baseUrl: stack.file.baseUrl, token: async () => await stack.website.accessToken() });

/** The ids of all events in the ledger: what the restored tables say that was accepted. */
async function ledgerIds(): Promise<string[]> {
  const ledger = exportsOf();
  const ids: string[] = [];
  for (let start = Math.floor((at - hours) / hours) * hours; start < Date.now(); start += hours)
    for await (const id of ledger.eventIds('public', rfc3339(start).replace('.000', ''))) ids.push(id);
  return ids;
}

/** Resolves as soon as the consumer has every event of the ledger. */
async function untilComplete(ids: readonly string[]): Promise<void> {
  await until(async () => {
    await readCopy();
    const known = new Set(copy.map(({ metadata }) => metadata.eventId));
    return ids.every((id) => known.has(id));
  }, `${ids.length} events`);
}

const restoreArgs = (moment: number, ...more: string[]): string[] => [
  'restore',
  '--at',
  rfc3339(moment),
  ...more,
];

/** The command in a process of its own, which is killed when it says that. */
async function killedAt(text: string, command: readonly string[]): Promise<string> {
  const args = ['bin/omi.ts', '--local', ...command];
  const child = spawn(process.execPath, args, { env: { ...process.env, OMI_STATE: stack.directory } });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(text)) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return said;
}

async function empty(table: string): Promise<void> {
  const document = DynamoDBDocumentClient.from(client);
  for await (const { Items = [] } of paginateScan({ client: document }, { TableName: table }))
    for (const { pk, sk } of Items as { pk: string; sk: string }[])
      await document.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
}

const tableNames = async (): Promise<string[]> =>
  (await client.send(new ListTablesCommand({}))).TableNames ?? [];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  await start();
  for (const TableName of Object.values(localTables))
    await client.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    );
  const device = await enrolDevice(stack.website);
  // Nothing from here on reaches the exporter, as if the stream were behind.
  await fetch(stack.file.faultsUrl, {
    method: 'POST',
    body: JSON.stringify({
      service: 'dynamodb',
      operation: 'BatchGetItem',
      resource: localTables.tenants,
      fault: 'unavailable',
    }),
  });
  before = [await pushAndConfirm(stack.website, device), await pushAndConfirm(stack.website, device)];
  answeredLater = await ask();
  open = await ask();
  await makeClient('kept');
  deleted = await makeClient('deleted');
  formerBaseUrl = stack.file.baseUrl;
  checkpoint = await exportsOf().checkpoint('public');
  at = Math.ceil(Date.now() / seconds) * seconds;
  await wait(at - Date.now() + 20);
  expect((await answeredLater.device.confirm(answeredLater.challenge)).status).toBeLessThan(300);
  after = await pushAndConfirm(stack.website, device);
  recent = await makeClient('recent');
  await jsonOn(stack)('client', 'delete', deleted.clientId, '--yes');
  const { region, endpoints } = stack.file.aws;
  const s3 = new S3Client({ region, endpoint: endpoints.s3, credentials, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'omi-backups' }));
  s3.destroy();
  await jsonOn(stack)('backup', '--to', backups);
});
afterAll(async () => {
  delete process.env['OMI_TABLES'];
  client.destroy();
  await stack.stop();
  await rm(data, { recursive: true, force: true });
});

type Restored = { tables: Record<string, string>; ended: { logs: number } };

describe('before a table is restored', () => {
  test('a moment outside the window is refused, with the window', async () => {
    const omi = omiOn(stack);
    const early = await omi(restoreArgs(at - hours, '--yes'));
    expect(early).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Possible is --at from 20\S+Z to 20\S+Z/),
    });
    const late = await omi(restoreArgs(at + hours, '--yes'));
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('five minutes behind') });
    expect(await omi(['restore', '--at', rfc3339(at + 1), '--yes'])).toMatchObject({ code: 2 });
  });

  test('a dry run does nothing', async () => {
    const { code, err } = await omiOn(stack)(restoreArgs(at, '--dry-run'));
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('omi-local-devices-at-') });
    expect(await tableNames()).toHaveLength(Object.keys(localTables).length);
    expect(await poll(stack.website, after.nonce)).toMatchObject({ status: 'confirmed' });
  });

  test('nothing is done without a confirmation', async () => {
    expect(await omiOn(stack)(restoreArgs(at), { answer: 'n' })).toMatchObject({ code: 1 });
    expect(await tableNames()).toHaveLength(Object.keys(localTables).length);
  });

  test('a table without point-in-time recovery is named', async () => {
    const off = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } };
    const TableName = localTables.attempts;
    await client.send(new UpdateContinuousBackupsCommand({ TableName, ...off }));
    const { code, err } = await omiOn(stack)(restoreArgs(at, '--table', 'attempts', '--yes'));
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('recovery of the table attempts'),
    });
    const on = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
    await client.send(new UpdateContinuousBackupsCommand({ TableName, ...on }));
  });
});

describe('after a table was destroyed', () => {
  const kept = ['devices', 'confirmations', 'expiries', 'enrolments', 'tenants', 'events', 'ledger', 'log'];
  let lostAt = 0;

  test('a restore that was killed goes on, and the tables that it replaces take no more calls', async () => {
    await empty(localTables.devices);
    lostAt = Date.now();
    expect((await stack.website.listDevices(open.device.identity.userId)).body).toEqual({ devices: [] });
    const args = ['--table', ...kept];
    const said = await killedAt('complete after', restoreArgs(at, ...args, '--yes'));
    expect(said.match(/complete after/g)?.length).toBeLessThan(kept.length);
    expect(said).toContain('run it again: it goes on');
    const { status } = await stack.website.getConfirmation(after.nonce);
    expect(status).toBe(503);
    const result = await jsonOn(stack)<Restored>(...restoreArgs(at, ...args, '--yes'));
    expect(result).toMatchObject({ restored: true, ended: { confirmations: 2 } });
    expect(result.ended.logs).toBeGreaterThan(1);
    tables = result.tables;
    expect(Object.keys(tables).sort()).toEqual([...kept].sort());
    // Nothing is open any more.
    const again = await jsonOn(stack)<Restored>(...restoreArgs(at, ...args, '--yes'));
    expect(again).toMatchObject({ tables, ended: { confirmations: 0, usable: 0, codes: 0 } });
  });

  test('a deleted table comes back as it was then, and only so, also by two commands at once', async () => {
    await client.send(new DeleteTableCommand({ TableName: localTables.attempts }));
    const only = ['--table', 'attempts', '--yes'];
    const { code, err } = await omiOn(stack)(restoreArgs(at, ...only));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('was deleted') });
    const [, moment = ''] = /pass --at (\S+)\./.exec(err) ?? [];
    const restored = async () => await jsonOn(stack)('restore', '--at', moment, ...only);
    for (const result of await Promise.all([restored(), restored()]))
      expect(result).toMatchObject({
        tables: { attempts: expect.stringContaining('omi-local-attempts-at-') },
      });
  });

  test('the stage goes on with the restored tables', async () => {
    await stack.stop();
    process.env['OMI_TABLES'] = JSON.stringify(tables);
    await start();
    expect(stack.file['tables']).toMatchObject(tables);
    for (const { nonce = '' } of before)
      expect(await poll(stack.website, nonce)).toMatchObject({ status: 'confirmed' });
    // The figures in docs/operations are from here.
    process.stderr.write(`lost ${at} to ${lostAt}, back after ${Date.now() - lostAt} ms\n`);
  });

  test('no confirmation is answered twice', async () => {
    for (const { device, sent, challenge } of [answeredLater, open]) {
      const there = Object.assign(device.identity, { baseUrl: stack.file.baseUrl });
      expect(await poll(stack.website, sent.nonce)).toMatchObject({
        status: 'cancelled',
        reason: 'withdrawn',
      });
      expect((await device.challenges()).body).toMatchObject({ challenges: [] });
      expect(await device.confirm(challenge)).toMatchObject({
        status: 409,
        body: { code: 'already-decided' },
      });
      // Nothing of the past keeps the device from the next one.
      expect(await push(stack.website, device)).toMatchObject({ deviceId: there.deviceId });
    }
    expect((await stack.website.getConfirmation(after.nonce)).status).toBe(404);
  });

  test('the exports go on without a gap, and the ledger says so', async () => {
    const result = await jsonOn(stack)<{ sentAgain: object[] }>(...restoreArgs(at, '--table', ...kept));
    expect(result.sentAgain.length).toBeGreaterThan(0);
    expect(await jsonOn(stack)(...restoreArgs(at, '--table', ...kept))).toMatchObject({ sentAgain: [] });
    const ids = await ledgerIds();
    expect(ids.length).toBeGreaterThan(10);
    await untilComplete(ids);
    const ofOpen = copy.filter(({ metadata }) => metadata.aggregateId === open.sent.challengeId);
    // What is sent again comes beside what is new.
    expect(ofOpen.map(({ metadata }) => metadata.type).toSorted()).toEqual([
      'PushNotificationCancelledEvent',
      'PushNotificationSentEvent',
    ]);
  });

  test('the clients are those of now again, with the backup of what the tables lack', async () => {
    const { tenantId } = stack.file.tenants[0];
    const ids = async (): Promise<string[]> =>
      (await jsonOn(stack)<MadeClient[]>('client', 'list', tenantId)).map(({ clientId }) => clientId);
    expect(await ids()).toContain(deleted.clientId);
    const args = restoreArgs(at, '--table', ...kept, '--from', backups, '--yes');
    expect(await jsonOn(stack)(...args)).toMatchObject({
      clients: {
        restored: [recent.clientId],
        undecided: [{ clientId: deleted.clientId, missing: 'in the user pool' }],
      },
      webPushKey: 'kept',
    });
    await jsonOn(stack)('client', 'delete', deleted.clientId, '--yes');
    expect(await ids()).not.toContain(deleted.clientId);
    const { tokenUrl, baseUrl } = stack.file;
    const website = new WebsiteClient({ ...stack.file, ...recent, tokenUrl, baseUrl });
    expect((await website.listDevices('nobody')).status).toBe(200);
    expect(await jsonOn(stack)(...args)).toMatchObject({ clients: { restored: [], undecided: [] } });
  });

  test('the log goes on under another name and begins with the last checkpoint', async () => {
    const { baseUrl, tenants } = stack.file;
    const text = await exportsOf().checkpoint('public');
    const name = `${new URL(baseUrl).host}/${tenants[0].tenantId}/public`;
    expect(text.split('\n')[0]).toBe(`${name}/2`);
    const last = await exportsOf().checkpoint('public', 1);
    expect(last.split('\n')[0]).toBe(name);
    const trust = {
      baseUrl,
      formerBaseUrls: [formerBaseUrl],
      category: 'public' as const,
      tenantId: tenants[0].tenantId,
    };
    const found = await verifyTree({
      ...{ ...trust, keys: await keysOf(baseUrl), exports: exportsOf(), kept: [checkpoint, last, text] },
      ...{ from: new Date(at - hours), to: new Date(Date.now()) },
    });
    expect(found.findings).toEqual([]);
    expect(found.logs.map(({ generation }) => generation)).toEqual([1, 2]);
  });
});
