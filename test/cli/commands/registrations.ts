import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requestToken } from '../../../client/access-token.ts';
import { keysOf } from '../../../cli/deployment/table-client.ts';
import { secretHashOf } from '../../../core/access/client-secret.ts';
import type { RegisteredClient } from '../../../core/access/registered-client.ts';
import { RegisteredClientStore } from '../../../core/access/registered-client-store.ts';
import { SecretBox } from '../../../core/aws/secret-box-client.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import { type Receiver, type ReceiverKind, secretContext } from '../../../core/callbacks/receiver.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { newJwk } from '../new-jwk.ts';
import { dynamodbOf, placeOf } from './tables.ts';
import { newTenant } from './tenants.ts';

type Made = { clientId: string; clientSecret: string; callbackSecret?: string; scopes: string[] };
type Shown = Record<string, unknown> & { callback?: object };

const scope = 'credential:omi:push-notification:post';
const callbackUrl = 'http://127.0.0.1:1/callback';
const notificationUrl = 'https://bank.example/ciba';
const resource = 'https://api.bank.example/payments?v=1';

/** What clients register for callbacks and OpenID Connect. */
export function registrations(stack: TestStack): void {
  const omi = omiOn(stack);
  const json = jsonOn(stack);
  let tenantId: string;
  beforeAll(async () => void (tenantId = await newTenant(stack)));

  const create = async (...args: string[]): Promise<Made> =>
    await json<Made>('client', 'create', tenantId, '--name', randomUUID(), '--scope', scope, ...args);
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await omi([...args]);
    expect({ code, out }).toEqual({ code: expect.any(Number), out: '' });
    expect(code).toBeGreaterThan(0);
    return err;
  };
  const registered = async ({ clientId }: Made): Promise<RegisteredClient> => {
    const found = await new RegisteredClientStore(dynamodbOf(stack), localTables.tenants).find(clientId);
    if (!found) throw new Error(`No client ${clientId}`);
    return found;
  };
  /** As the API's authorizer finds it. */
  const assigned = async ({ clientId }: Made) =>
    await new TenantStore(dynamodbOf(stack), localTables.tenants).findByClient(clientId);
  const receivers = () => new CallbackStore(dynamodbOf(stack), localTables.tenants);
  const receiver = async (kind: ReceiverKind, { clientId }: Made): Promise<Receiver | undefined> =>
    await receivers().get(kind, clientId);
  const show = async ({ clientId }: Made) => await json<Shown>('client', 'show', clientId);
  const tokenStatus = async (made: Made): Promise<number> =>
    (await requestToken({ ...made, tokenUrl: stack.file.tokenUrl }, {})).status;
  /** With the stack's key, as the Lambda does that signs callbacks. */
  const openedSecrets = async (made: Made): Promise<string[]> => {
    const box = new SecretBox(new KMSClient(placeOf(stack, 'kms')), 'alias/omi-local-secrets');
    const { secrets = [] } = (await receiver('callback', made)) ?? {};
    return await Promise.all(
      secrets.map(async ({ sealed }) => await box.open(sealed, secretContext(made.clientId))),
    );
  };

  describe("a client's secret", () => {
    test('is stored only as a hash, with the scopes', async () => {
      const made = await create();

      expect(await registered(made)).toMatchObject({
        secretHashes: [secretHashOf(made.clientSecret)],
        scopes: [scope],
      });
      expect(await show(made)).toMatchObject({ authentication: 'client_secret' });
    });

    test('has two hashes during a rotation, and the valid one afterwards', async () => {
      const made = await create();
      const rotate = async (...args: string[]) =>
        await json<Made>('client', 'rotate', made.clientId, ...args);
      const hashes = async () => (await registered(made)).secretHashes;
      const [first, lost] = [secretHashOf(made.clientSecret), secretHashOf((await rotate()).clientSecret)];
      expect(await hashes()).toEqual([lost, first]);
      await rotate('--cancel');
      expect(await hashes()).toEqual([first]);
      const second = secretHashOf((await rotate()).clientSecret);
      await rotate('--finish');
      expect(await hashes()).toEqual([second]);
      await rotate('--finish');
      expect(await hashes()).toEqual([second]);
    });
  });

  describe('a client with keys', () => {
    let folder: string;
    beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'omi-jwks-'))));
    afterAll(async () => await rm(folder, { recursive: true }));

    const jwks = async (...keys: object[]): Promise<string> => {
      const file = join(folder, `${randomUUID()}.json`);
      await writeFile(file, JSON.stringify({ keys }));
      return file;
    };

    test('has no secret and is not in the user pool', async () => {
      const key = newJwk('EC', { kid: 'one' });
      const made = await create('--jwks', await jwks({ ...key, use: 'sig' }), '--resource', resource);
      expect(made).toMatchObject({ keys: [{ kid: 'one', alg: 'ES256' }], resource });
      expect(made).not.toHaveProperty('clientSecret');
      expect(await registered(made)).toMatchObject({
        keys: [{ ...key, alg: 'ES256' }],
        secretHashes: [],
        resource,
        requester: { tenant: 'Bank' },
      });
      expect(await tokenStatus({ ...made, clientSecret: 'guess' })).toBe(401);
      expect(await assigned(made)).toMatchObject({ hasKeys: true });
      expect(await show(made)).toMatchObject({ authentication: 'private_key_jwt' });
    });

    test('gets other keys and scopes by "set" and has nothing to rotate', async () => {
      const made = await create('--jwks', await jwks(newJwk('EC', { kid: 'old' })));
      const next = await jwks(newJwk('EC', { kid: 'old' }), newJwk('RSA', { kid: 'new' }));
      const set = await json('client', 'set', made.clientId, '--jwks', next, '--scope', 'all');
      expect(set).toMatchObject({ keys: [{ kid: 'old' }, { kid: 'new', alg: 'RS256' }] });
      expect((await registered(made)).scopes).toContain('omi:events:post');
      expect(await refusal('client', 'rotate', made.clientId)).toContain('--jwks');
    });
  });

  describe('callbacks', () => {
    test('have a secret that is shown once and stored sealed, and the caller is marked', async () => {
      const made = await create('--callback-url', callbackUrl);
      const { callbackSecret = '' } = made;

      expect(callbackSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(await receiver('callback', made)).toMatchObject({ tenantId, url: callbackUrl, state: 'active' });
      expect(await openedSecrets(made)).toEqual([callbackSecret]);
      expect(JSON.stringify(await receiver('callback', made))).not.toContain(callbackSecret);
      expect(await registered(made)).toMatchObject({ callback: true });
      const { out } = await omi(['client', 'show', made.clientId, '--json']);
      expect(JSON.parse(out)).toMatchObject({
        callbackUrl,
        callback: { url: callbackUrl, state: 'active', since: expect.any(String), secrets: 1 },
      });
      expect(out).not.toContain(callbackSecret.slice(6));
    });

    test('have two secrets during a rotation, newest first', async () => {
      const made = await create('--callback-url', callbackUrl);
      const rotate = async (...args: string[]) =>
        await json<Made>('client', 'rotate', made.clientId, '--callback', ...args);
      const first = made.callbackSecret;
      const { callbackSecret: lost } = await rotate();
      expect(await openedSecrets(made)).toEqual([lost, first]);
      const third = await refusal('client', 'rotate', made.clientId, '--callback');
      expect(third).toMatch(/--finish[^]*--cancel/);
      expect(await rotate('--cancel')).toMatchObject({ deletedSecrets: 1 });
      expect(await openedSecrets(made)).toEqual([first]);
      const { callbackSecret: second } = await rotate();
      expect(await rotate('--finish')).toMatchObject({ deletedSecrets: 1 });
      expect(await openedSecrets(made)).toEqual([second]);
      expect(await rotate('--finish')).toMatchObject({ deletedSecrets: 0 });
      expect((await registered(made)).secretHashes).toEqual([secretHashOf(made.clientSecret)]);
    });
  });

  test('a deleted client leaves no item behind', async () => {
    const made = await create('--callback-url', callbackUrl, '--notification-url', notificationUrl);
    const { pk } = tenantKeys.client(made.clientId);
    const items = async () => await keysOf(dynamodbOf(stack), localTables.tenants, pk);
    expect(await items()).toHaveLength(4);
    await json('client', 'delete', made.clientId, '--yes');
    expect(await items()).toEqual([]);
  });
}
