/** Users who exist for tests alone, of a tenant whose operator wants them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { EvidenceError, Omi } from '#website';
import { testIntents, testUserId, type TestIntent } from '../../core/kernel/test-users.ts';
import { jsonOn } from '../cli/omi.ts';
import { storedIn } from '../support/stored-events.ts';
import { localTables } from '../../tools/local/resources/tables.ts';
import { databaseOf } from './callbacks/website.ts';
import { useSharedStack } from '../support/use-stack.ts';

const stack = useSharedStack();

type Credentials = { tenantId: string; clientId: string; clientSecret: string };

async function openTenant(...settings: string[]): Promise<Credentials> {
  const json = jsonOn(stack);
  const { tenantId } = await json<{ tenantId: string }>(
    'tenant',
    'create',
    '--name',
    'Tested shop',
    ...settings,
  );
  const client = await json<Omit<Credentials, 'tenantId'>>(
    ...['client', 'create', '--tenant', tenantId, '--name', 'shop', '--scope', 'all'],
  );
  return { ...client, tenantId };
}

const omiOf = (credentials: Credentials, testUsers = true): Omi => {
  const { baseUrl, tokenUrl } = stack.file;
  return new Omi({ baseUrl, tokenUrl, ...credentials, testUsers });
};

let shop: Credentials;
beforeAll(async () => {
  // Stricter than usual: neither rule keeps test users from their devices.
  shop = await openTenant('--test-users', 'on', '--further-devices', 'confirm', '--max-devices', '1');
});

const ask = async (intent: TestIntent, omi = omiOf(shop)) =>
  await omi.confirm({ userId: testUserId(intent), message: 'Pay 5 €?' });

describe('a test user', () => {
  test.each([
    ['confirms', 'confirmed', undefined],
    ['denies', 'denied', 'user_declined'],
    ['reports', 'denied', 'not_me'],
  ] as const)('answers by itself: %s', async (intent, status, reason) => {
    const answer = await ask(intent);
    expect(answer).toMatchObject({ status, delivery: 'sent', ...(reason && { reason }) });
    expect(answer.evidence).toBeDefined();
  });

  test('may be asked again at once after it reported a request', async () => {
    for (let count = 0; count < 2; count += 1) expect((await ask('reports')).reason).toBe('not_me');
  });

  test('has as many devices as its id says', async () => {
    const omi = omiOf(shop);
    await expect(ask('has-no-device')).rejects.toMatchObject({ code: 'device-not-found' });
    await expect(ask('has-two-devices')).rejects.toMatchObject({ code: 'device-choice-required' });
    const userId = testUserId('has-two-devices');
    const [device] = await omi.devices(userId);
    const chosen = await omi.confirm({ userId, message: 'Pay 5 €?', deviceId: device?.deviceId });
    expect(chosen.status).toBe('confirmed');
    expect((await omi.confirm({ userId, message: 'Pay 6 €?', devices: 'all' })).status).toBe('confirmed');
  });

  test('proves nothing where nobody wants test users', async () => {
    const refused = await ask('confirms', omiOf(shop, false)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EvidenceError);
    expect(refused).toMatchObject({ code: 'receipt-by' });
  });

  test('repeats the number of the website', async () => {
    const strict = await openTenant('--test-users', 'on', '--number-matching', 'type');
    expect((await ask('confirms', omiOf(strict))).status).toBe('confirmed');
  });

  test('is nobody of a tenant without test users, and of one that turns them off', async () => {
    const other = await openTenant();
    await expect(ask('confirms', omiOf(other))).rejects.toMatchObject({ code: 'device-not-found' });
    const omi = omiOf(other);
    const { tenantId } = other;
    await jsonOn(stack)('tenant', 'set', tenantId, '--test-users', 'on');
    await jsonOn(stack)('tenant', 'set', tenantId, '--test-users', 'on');
    expect(await omi.devices(testUserId('has-two-devices'))).toHaveLength(2);
    await jsonOn(stack)('tenant', 'set', tenantId, '--test-users', 'off');
    for (const intent of testIntents) expect(await omi.devices(testUserId(intent))).toEqual([]);
  });

  test('is named by its events as what it is', async () => {
    const { challengeId } = await ask('confirms');
    const events = await storedIn(databaseOf(stack), `${shop.tenantId}#${challengeId}`, localTables.events);
    const agents = events.map((event) => (JSON.parse(event) as { metadata: object }).metadata);
    expect(agents).toMatchObject([{ agent: 'omi-test' }, { agent: 'omi-test' }]);
  });
});
