/** `omi demo connect`, beside a stack of CloudFormation with the local stack's tables, tokens and secrets behind it. */
import { randomUUID } from 'node:crypto';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Omi } from '#website';
import { type Connection, parseConnection } from '../../pages/bank/lambda/connection.ts';
import { useSharedStack } from '../support/use-stack.ts';
import { placeOf } from './commands/tables.ts';
import { type DeployedStack, serveControlPlane } from './control-plane.ts';
import { outputsOf, omiOfStage } from './deployed-stage.ts';
import { type Answer, jsonOn, omiOn } from './omi.ts';

const stack = useSharedStack();
const url = 'https://demo.example.com';

let secrets: SecretsManagerClient;
let deployed: DeployedStack;
let served: Awaited<ReturnType<typeof serveControlPlane>>;
let secretArn: string;

beforeAll(async () => {
  secrets = new SecretsManagerClient(placeOf(stack, 'secretsmanager'));
  const outputs = { ...(await outputsOf(stack)), AppUrl: stack.file.appUrl };
  deployed = { name: 'omi-staging', outputs, mappings: {}, alarms: [], deletedAlarms: [], applications: [] };
  served = await serveControlPlane(deployed);
});
afterAll(async () => {
  secrets.destroy();
  await served.close();
});

/** The demo's stack has a new secret, without a value. */
beforeEach(async () => {
  const { ARN = '' } = await secrets.send(new CreateSecretCommand({ Name: `demo-${randomUUID()}` }));
  secretArn = ARN;
  deployed.demo = { DemoUrl: url, DemoSecret: secretArn };
});

const stage = ['--stage', 'staging', '--region', 'eu-central-1', '--json'];
const connect = async (...args: string[]): Promise<Answer> =>
  await omiOfStage(stack, [...stage, 'demo', 'connect', ...args], served.url);

async function connected(...args: string[]): Promise<{ connection: Connection; err: string }> {
  const { code, out, err } = await connect(...args);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretArn }));
  const connection = parseConnection(SecretString);
  if (!connection) throw new Error('The secret has no whole connection.');
  expect(JSON.parse(out)).toEqual({ url, tenantId: connection.tenantId });
  expect(`${out}${err}`).not.toContain(connection.clients.bank.clientSecret);
  return { connection, err };
}

const omiOf = ({ baseUrl, tokenUrl, clients }: Connection, use: 'bank' | 'limits') =>
  new Omi({ baseUrl, tokenUrl, ...clients[use] });

type Clients = { clientId: string; name: string; numberMatching?: string; scopes: string[] }[];
const clientsOf = async ({ tenantId }: Connection): Promise<Clients> =>
  await jsonOn(stack)<Clients>('client', 'list', tenantId);

describe('omi demo connect', () => {
  test('makes a tenant and two working clients, and says who may use them', async () => {
    const { connection, err } = await connected();
    const { baseUrl, appUrl, tokenUrl } = stack.file;
    expect(connection).toMatchObject({ baseUrl, appUrl, tokenUrl, tenantName: 'Demo bank' });
    expect(err).toContain('Everyone who knows this address can sign in there without a password.');
    const clients = await clientsOf(connection);
    expect(clients.map(({ name }) => name).sort()).toEqual(['demo-bank', 'demo-bank-limits']);
    expect(clients.find(({ name }) => name === 'demo-bank-limits')?.numberMatching).toBe('pick');
    for (const { scopes } of clients) {
      expect(scopes).toContain('credential:omi:enrol:qr:post');
      expect(scopes.filter((scope) => /recovery|events|exports/.test(scope))).toEqual([]);
    }
    for (const use of ['bank', 'limits'] as const)
      expect(await omiOf(connection, use).devices('somebody')).toEqual([]);
  });

  test('replaces the clients with --renew and deletes the old ones', async () => {
    const { connection } = await connected();
    const { connection: renewed } = await connected('--renew');
    expect(renewed.tenantId).toBe(connection.tenantId);
    const ids = (await clientsOf(renewed)).map(({ clientId }) => clientId);
    expect(ids.sort()).toEqual([renewed.clients.bank.clientId, renewed.clients.limits.clientId].sort());
    expect(ids).not.toContain(connection.clients.bank.clientId);
  });

  test('completes an interrupted run by replacing a client whose secret was not saved', async () => {
    const { connection } = await connected();
    const { limits, ...others } = connection.clients;
    const SecretString = JSON.stringify({ ...connection, clients: others });
    await secrets.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString }));
    const { connection: finished } = await connected();
    expect(finished.clients.bank).toEqual(connection.clients.bank);
    expect(finished.clients.limits.clientId).not.toBe(limits.clientId);
    expect(await clientsOf(finished)).toHaveLength(2);
  });

  test('says how to deploy the demo bank, if the stage has none', async () => {
    delete deployed.demo;
    const { code, err } = await connect();
    expect(code).toBe(1);
    expect(err).toContain('npx cdk deploy -c stage=staging -c demo=true omi-staging-demo');
  });

  test('needs a user pool', async () => {
    const { outputs } = deployed;
    deployed.outputs = Object.fromEntries(Object.entries(outputs).filter(([name]) => name !== 'UserPoolId'));
    const { code, err } = await connect();
    deployed.outputs = outputs;
    expect(code).toBe(1);
    expect(err).toContain('has no user pool');
  });

  test('is rejected on the local stack, which connects its own', async () => {
    const { code, err } = await omiOn(stack)(['demo', 'connect']);
    expect(code).toBe(1);
    expect(err).toContain('connects its demo bank itself');
  });
});
