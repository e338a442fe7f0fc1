/** `omi backup` and `omi restore --from`: what the tables' own backups lack is lost, and comes back. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requestToken } from '../../client/access-token.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { parseBackup } from '../../cli/backup/backup.ts';
import { BackupBucket } from '../../cli/backup/backup-client.ts';
import { ClientStore } from '../../cli/clients/client-store.ts';
import { CognitoClient } from '../../cli/clients/cognito-client.ts';
import type { TenantClient } from '../../cli/clients/tenant-client.ts';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { localDeployment } from '../../cli/deployment/local-client.ts';
import { progressOf } from '../../cli/replays/replay-run.ts';
import { handedOverWithin, sendAgain } from '../../cli/restore/send-again.ts';
import { lostParts } from '../../cli/restore/lost-parts.ts';
import { describeError } from '../../cli/describe-error.ts';
import { ProfileStore } from '../../cli/tenants/profile-store.ts';
import type { PublicJwk } from '../../core/access/public-jwk.ts';
import { secretHashOf } from '../../core/access/client-secret.ts';
import { targetKey } from '../../core/export/targets/target-item.ts';
import { hours, minutes, seconds } from '../../core/kernel/time.ts';
import { localTables } from '../../tools/local/resources/tables.ts';
import { OwnStack } from '../support/own-stack.ts';
import { newJwk } from './new-jwk.ts';
import { jsonOn, omiOn } from './omi.ts';

const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };
const place = 's3://omi-backups/daily';
const file = 'omi-local-eu-central-1.json';
const key = `daily/${file}`;

const newKey = (): PublicJwk => newJwk('EC', { alg: 'ES256' }) as PublicJwk;

type Made = { clientId: string; clientSecret: string; callbackSecret?: string };
type Remade = Made & { formerClientId: string };
type Recovered = {
  clients: Record<'restored' | 'secrets' | 'unknownSecrets', string[]> & {
    remade: Remade[];
    undecided: { clientId: string; missing: string }[];
  };
  webPushKey: string;
};

describe('on the local stack', () => {
  const stack = new OwnStack();
  const json = jsonOn(stack);
  let s3: S3Client;
  let dynamodb: DynamoDBDocumentClient;
  let secrets: SecretsManagerClient;
  let store: ClientStore;
  let pool: CognitoClient;
  let tenant = '';
  let saved = '';

  const make = async (name: string, ...more: string[]): Promise<Made> =>
    await json<Made>('client', 'create', '--tenant', tenant, '--name', name, '--scope', 'all', ...more);
  const tokenStatus = async (made: Made): Promise<number> =>
    (await requestToken({ ...made, tokenUrl: stack.file.tokenUrl })).status;
  const listed = async (): Promise<string[]> =>
    (await json<{ clientId: string }[]>('client', 'list', '--tenant', tenant)).map(
      ({ clientId }) => clientId,
    );
  const found = async ({ clientId }: Made): Promise<TenantClient> => {
    const client = await store.find(clientId);
    if (!client) throw new Error(`There is no client ${clientId}.`);
    return client;
  };
  const restored = async (...more: string[]): Promise<Recovered> =>
    await json<Recovered>('restore', '--from', place, ...more);

  let steady: Made;
  let recent: Made;
  let lost: Made;
  let deleted: Made;
  let keyed: { clientId: string };

  beforeAll(async () => {
    await stack.start();
    const { region, endpoints } = stack.file.aws;
    const access = (endpoint: string) => ({ region, endpoint, credentials });
    s3 = new S3Client({ ...access(endpoints.s3), forcePathStyle: true });
    dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(access(endpoints.dynamodb)));
    secrets = new SecretsManagerClient(access(endpoints.secretsmanager));
    store = new ClientStore(dynamodb, localTables.tenants);
    pool = new CognitoClient(new CognitoIdentityProviderClient(access(stack.file.issuer)), 'local');
    await s3.send(new CreateBucketCommand({ Bucket: 'omi-backups' }));
    ({ tenantId: tenant } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Example Bank'));
    steady = await make('steady');
    recent = await make('recent');
    lost = await make('lost', '--callback-url', 'https://shop.example.com/omi/callback');
    deleted = await make('deleted');
    await writeFile(join(stack.directory, 'keys.json'), JSON.stringify({ keys: [newKey()] }));
    keyed = await make('keyed', '--jwks', join(stack.directory, 'keys.json'));
  });
  afterAll(async () => {
    for (const client of [s3, dynamodb, secrets]) client.destroy();
    await stack.stop();
  });

  test('a backup has the clients and the key of web pushes, and no secret of a client', async () => {
    expect(await json('backup', '--to', place)).toMatchObject({
      url: `s3://omi-backups/${key}`,
      webPushKey: true,
    });
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'omi-backups', Key: key }));
    saved = (await Body?.transformToString()) ?? '';
    for (const { clientId, clientSecret, callbackSecret } of [steady, recent, lost, deleted]) {
      expect(saved).toContain(clientId);
      expect(saved).not.toContain(clientSecret);
      if (callbackSecret !== undefined) expect(saved).not.toContain(callbackSecret);
    }
  });

  test('restoring it to a stage that has lost nothing does nothing', async () => {
    expect(await restored()).toMatchObject({
      clients: { restored: [], remade: [], secrets: [], unknownSecrets: [], undecided: [] },
      webPushKey: 'kept',
    });
  });

  test('a client that the table lacks comes back, with the secrets and the suspension of now', async () => {
    await json('client', 'delete', '--client', deleted.clientId, '--yes');
    const { clientSecret } = await json<Made>('client', 'rotate', '--client', recent.clientId);
    await json('client', 'rotate', '--client', recent.clientId, '--finish');
    await store.remove(recent);
    expect(await restored('--dry-run')).toMatchObject({ clients: { restored: [recent.clientId] } });
    expect(await listed()).not.toContain(recent.clientId);
    expect(await omiOn(stack)(['restore', '--from', place], { answer: 'n' })).toMatchObject({ code: 1 });
    await json('tenant', 'suspend', '--tenant', tenant);
    expect(await restored('--yes')).toMatchObject({
      clients: {
        restored: [recent.clientId],
        secrets: [recent.clientId],
        unknownSecrets: [recent.clientId],
      },
    });
    const status = async (): Promise<number> => {
      const website = new WebsiteClient({ ...stack.file, ...recent, clientSecret });
      return (await website.listDevices('alice')).status;
    };
    expect(await status()).toBe(401);
    await json('tenant', 'resume', '--tenant', tenant);
    expect(await status()).toBe(200);
    // The secret that was revoked, and is in the backup, opens nothing.
    expect((await found(recent)).oauth?.secrets).toEqual([]);
    expect(await listed()).toEqual([steady, recent, lost, keyed].map(({ clientId }) => clientId).toSorted());
  });

  test('only secrets that the user pool accepts are secrets', async () => {
    const before = await found(steady);
    const revoked = { id: `${steady.clientId}--1`, hash: secretHashOf('revoked') };
    await store.change(before, { oauth: { secrets: [revoked] } });
    expect(await restored('--yes')).toMatchObject({ clients: { secrets: [steady.clientId] } });
    expect((await found(steady)).oauth?.secrets).toEqual(before.oauth?.secrets);
  });

  test('a client that the user pool has lost gets another id and other secrets, once, and only by its id', async () => {
    const before = await found(lost);
    await pool.delete(lost.clientId);
    const undecided = { clientId: lost.clientId, missing: 'in the user pool' };
    expect(await restored('--yes')).toMatchObject({ clients: { remade: [], undecided: [undecided] } });
    expect((await found(lost)).oauth?.secrets).toEqual([]);
    const { clients } = await restored('--client', lost.clientId, '--yes');
    const [remade] = clients.remade;
    if (!remade) throw new Error('no client was made');
    expect(remade).toMatchObject({ formerClientId: lost.clientId, callbackSecret: expect.any(String) });
    expect(await tokenStatus(remade)).toBe(200);
    const { oauth: _, callback, ...rest } = await found(remade);
    expect(rest).toMatchObject({ name: 'lost', scopes: before.scopes });
    expect(callback?.url).toBe(before.callback?.url);
    expect(await listed()).not.toContain(lost.clientId);
    // As if the command had been killed before it removed the former one.
    const profile = await new ProfileStore(dynamodb, localTables.tenants).find(tenant);
    if (!profile) throw new Error('no tenant');
    await store.add({ ...before, name: 'lost', scopes: before.scopes ?? [] }, profile);
    const again = await restored('--client', lost.clientId, '--yes');
    expect(again.clients.remade).toEqual([
      { tenantId: tenant, name: 'lost', formerClientId: lost.clientId, clientId: remade.clientId },
    ]);
    expect(await listed()).toHaveLength(4);
  });

  test('a client that two runs make anew at once is made once', async () => {
    const before = await make('raced');
    await pool.delete(before.clientId);
    const args = ['restore', '--from', place, '--client', before.clientId, '--yes'];
    const runs = [jsonOn(stack)<Recovered>(...args), jsonOn(stack)<Recovered>(...args)];
    const done = (await Promise.allSettled(runs)).flatMap((run) =>
      run.status === 'fulfilled' ? [run.value] : [],
    );
    const withSecret = done
      .flatMap(({ clients }) => clients.remade)
      .filter(({ clientSecret }) => clientSecret);
    expect(withSecret).toHaveLength(1);
    const named = await json<{ clientId: string; name: string }[]>('client', 'list', '--tenant', tenant);
    expect(named.filter(({ name }) => name === 'raced').map(({ clientId }) => clientId)).toEqual(
      withSecret.map(({ clientId }) => clientId),
    );
    const [made] = withSecret;
    if (!made) throw new Error('no client was made');
    // As if the former one had come back, and the one in its place was deleted on purpose.
    await json('client', 'delete', '--client', made.clientId, '--yes');
    const profile = await new ProfileStore(dynamodb, localTables.tenants).find(tenant);
    if (!profile) throw new Error('no tenant');
    await store.add({ clientId: before.clientId, tenantId: tenant, name: 'raced', scopes: [] }, profile);
    const [again] = (await restored('--client', before.clientId, '--yes')).clients.remade;
    expect(again).toMatchObject({ formerClientId: before.clientId, clientSecret: expect.any(String) });
    await json('client', 'delete', '--client', again?.clientId ?? '', '--yes');
  });

  test('a client with keys comes back only by its id, because nothing tells whether it was deleted', async () => {
    await store.remove(keyed);
    const undecided = { clientId: keyed.clientId, missing: 'in the table' };
    expect(await restored('--yes')).toMatchObject({ clients: { restored: [], undecided: [undecided] } });
    expect(await listed()).not.toContain(keyed.clientId);
    expect(await restored('--client', keyed.clientId, '--yes')).toMatchObject({
      clients: { restored: [keyed.clientId], undecided: [] },
    });
    expect(await listed()).toContain(keyed.clientId);
    await store.change(await found(keyed as Made), { oauth: { keys: [newKey()] } });
    const changed = { clientId: keyed.clientId, missing: 'the keys in the backup' };
    expect(await restored('--yes')).toMatchObject({ clients: { undecided: [changed] } });
    await restored('--client', keyed.clientId, '--yes');
    expect(await restored('--yes')).toMatchObject({ clients: { undecided: [] } });
  });

  test('events are sent again from the time since which a target waits, and older ones than are kept not at all', async () => {
    const deployment = await localDeployment({ OMI_STATE: stack.directory });
    expect(await sendAgain(deployment, Date.now() - 20 * 24 * hours, true)).toEqual([]);
    const at = Math.floor(Date.now() / seconds) * seconds - minutes;
    const [{ tenantId: own }] = stack.file.tenants;
    const Key = targetKey({ tenantId: own, category: 'log' });
    const since = Date.now() - 48 * hours;
    await dynamodb.send(
      new UpdateCommand({
        ...{ TableName: localTables.tenants, Key },
        UpdateExpression: 'SET waitingSince = :since, parkedThrough = :through',
        ExpressionAttributeValues: { ':since': { '9': since }, ':through': { '9': 'parked' } },
      }),
    );
    const sent = await sendAgain(deployment, at, true);
    const fromOf = async (category: string): Promise<number | undefined> => {
      const one = sent.find((its) => its.tenantId === own && its.category === category);
      return one && (await progressOf(deployment, one)).from;
    };
    expect(await fromOf('log')).toBe(since - handedOverWithin);
    expect(await fromOf('public')).toBe(at - handedOverWithin);
    expect(await sendAgain(deployment, at, true)).toEqual([]);
  });

  test('a client of which there is nothing to decide is refused, before anything is done', async () => {
    expect(
      await omiOn(stack)(['restore', '--from', place, '--client', steady.clientId, '--yes']),
    ).toMatchObject({ code: 2, err: expect.stringContaining(steady.clientId) });
  });

  test('clients are named only in the run after the deployment, which lists them', async () => {
    const first = ['restore', '--at', '2026-03-01T08:30:00Z', '--client', lost.clientId, '--yes'];
    expect(await omiOn(stack)(first)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--client is for the run after the deployment'),
    });
  });

  test('a backup that somebody else wrote is refused', async () => {
    const foreign = { pk: `client#${steady.clientId}`, sk: 'client', clientId: 'another', tenantId: tenant };
    await s3.send(
      new PutObjectCommand({
        ...{ Bucket: 'omi-backups', Key: `foreign/${file}` },
        Body: JSON.stringify({ ...(JSON.parse(saved) as object), clients: [foreign] }),
      }),
    );
    expect(await omiOn(stack)(['restore', '--from', 's3://omi-backups/foreign', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('not those of a client'),
    });
  });

  test('the key of web pushes comes back if its secret lost it, and otherwise the operator is told', async () => {
    const SecretId = 'omi-local-web-push-key';
    const valueOf = async () => (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    const before = await valueOf();
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: 'overwritten' }));
    const stateAt = async (changes: object = {}): Promise<string> => {
      const deployment = { ...(await localDeployment({ OMI_STATE: stack.directory })), ...changes };
      return (await lostParts(deployment, { backup: parseBackup(saved, deployment) }, () => undefined))
        .webPushKey;
    };
    expect(await stateAt()).toBe('lost');
    expect(await stateAt({ baseUrl: 'http://127.0.0.1:1' })).toBe('unknown');
    const Body = JSON.stringify({ ...(JSON.parse(saved) as object), webPushKey: null });
    await s3.send(new PutObjectCommand({ Bucket: 'omi-backups', Key: `keyless/${file}`, Body }));
    expect(await json('restore', '--from', 's3://omi-backups/keyless')).toMatchObject({
      webPushKey: 'another',
    });
    await secrets.send(new DeleteSecretCommand({ SecretId }));
    expect(await restored('--yes')).toMatchObject({ webPushKey: 'deleted' });
    await secrets.send(new RestoreSecretCommand({ SecretId }));
    expect(await restored('--yes')).toMatchObject({ webPushKey: 'restored' });
    expect(JSON.parse((await valueOf()) ?? '')).toEqual(JSON.parse(before ?? ''));
  });

  test('clients of a suspended tenant are not made anew, and those that were made before are shown', async () => {
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Suspended Bank');
    const first = await make('first');
    const its = ['client', 'create', '--tenant', tenantId, '--name', 'second', '--scope', 'all'];
    const second = await json<Made>(...its);
    for (const { clientId } of [first, second]) await pool.delete(clientId);
    await json('tenant', 'suspend', '--tenant', tenantId);
    const both = ['--client', first.clientId, '--client', second.clientId];
    const { code, out, err } = await omiOn(stack)(['--json', 'restore', '--from', place, ...both, '--yes']);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('is suspended') });
    const [made, ...others] = JSON.parse(out) as Remade[];
    if (!made) throw new Error('no client is shown');
    expect({ made: made.formerClientId, others }).toEqual({ made: first.clientId, others: [] });
    expect(await tokenStatus(made)).toBe(200);
    expect((await found(second)).name).toBe('second');
  });

  test('if the user pool is another one, no secret ends until each client is decided, also those of the backup alone', async () => {
    const clients = await store.list();
    for (const { clientId } of clients) await pool.delete(clientId);
    const before = await found(steady);
    expect(await omiOn(stack)(['restore', '--from', place, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('lacks clients of the stage'),
    });
    expect(await found(steady)).toEqual(before);
    const { undecided } = (await restored('--dry-run')).clients;
    const missingOf = Object.fromEntries(undecided.map(({ clientId, missing }) => [clientId, missing]));
    expect(missingOf).toMatchObject({
      [steady.clientId]: 'in the user pool',
      [deleted.clientId]: 'in the user pool and the table',
    });
    for (const { clientId, missing } of undecided)
      if (missing === 'in the user pool' && clientId !== steady.clientId)
        await json('client', 'delete', '--client', clientId, '--yes');
    const both = ['--client', steady.clientId, '--client', deleted.clientId, '--yes'];
    expect(await restored(...both)).toMatchObject({
      clients: { remade: [{ formerClientId: steady.clientId }, { formerClientId: deleted.clientId }] },
    });
  });

  test.each([
    [
      'no such bucket',
      ['backup', '--to', 's3://nowhere-at-all'],
      'There is no bucket nowhere-at-all.\nIs the',
    ],
    [
      'no backup',
      ['restore', '--from', 's3://omi-backups/other'],
      'There is no backup s3://omi-backups/other/',
    ],
  ])('%s is said', async (_, args, told) => {
    expect(await omiOn(stack)(args)).toMatchObject({ code: 1, err: expect.stringContaining(told) });
  });
});

describe('a bucket in an account', () => {
  const good: Record<string, string> = {
    versioning: '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
    encryption:
      '<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>',
    publicAccessBlock:
      '<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlockConfiguration>',
  };

  /** S3's answers about a bucket, over the wire. */
  async function onBucket(
    answerTo: (url: string) => [status: number, answer: string],
    use: (bucket: BackupBucket) => Promise<unknown>,
  ): Promise<void> {
    const server = createServer(({ url = '' }, response) => {
      const [status, answer] = answerTo(url);
      response.writeHead(status, { 'content-type': 'application/xml' }).end(answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const client = new S3Client({ region: 'eu-central-1', endpoint, credentials, forcePathStyle: true });
    try {
      const its = { stage: 'production', region: 'eu-central-1' } as Deployment;
      await use(new BackupBucket(client, { bucket: 'example', prefix: '' }, its));
    } finally {
      client.destroy();
      server.close();
    }
  }

  const requireBucket = async (settings: Record<string, string>): Promise<void> => {
    const answerTo = (url: string): [number, string] => {
      const answer = settings[Object.keys(good).find((one) => url.includes(`?${one}`)) ?? ''] ?? '';
      return [answer.startsWith('<Error') ? 404 : 200, answer];
    };
    await onBucket(answerTo, async (bucket) => await bucket.require());
  };

  const fault = (code: string): string => `<Error><Code>${code}</Code><Message>No.</Message></Error>`;

  test.each([
    ['a version that S3 does not know', fault('InvalidArgument'), 400, 'no such version of the backup'],
    ['the mark of a deletion', fault('MethodNotAllowed'), 405, 'no such version of the backup'],
    ['a backup that was deleted', fault('NoSuchKey'), 404, 'pass --backup with an older version'],
    ['what the credentials may not read', fault('AccessDenied'), 403, 'refuses access to s3://example/omi-'],
  ])('says the way out of %s', async (_, answer, status, told) => {
    const reading = onBucket(
      () => [status, answer],
      async (bucket) => await bucket.read('v1'),
    );
    expect(await reading.catch(describeError)).toContain(told);
  });

  test('may have a backup if it keeps versions, encrypts, and can never become public', async () => {
    await expect(requireBucket(good)).resolves.toBeUndefined();
  });

  test.each([
    ['keeps no versions', { versioning: '<VersioningConfiguration></VersioningConfiguration>' }],
    [
      'keeps no versions',
      { versioning: '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>' },
    ],
    ['does not encrypt', { encryption: fault('ServerSideEncryptionConfigurationNotFoundError') }],
    ['may become public', { publicAccessBlock: fault('NoSuchPublicAccessBlockConfiguration') }],
    [
      'may become public',
      {
        publicAccessBlock: good['publicAccessBlock']?.replace(
          '<BlockPublicPolicy>true',
          '<BlockPublicPolicy>false',
        ),
      },
    ],
  ] as [string, Record<string, string>][])('is refused if it %s', async (what, wrong) => {
    await expect(requireBucket({ ...good, ...wrong })).rejects.toThrow(what);
  });
});
