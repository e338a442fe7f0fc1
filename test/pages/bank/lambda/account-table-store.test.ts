import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { accountStore } from '../../../../pages/bank/lambda/account-table-store.ts';
import { type AccountStore, changeAccount } from '../../../../pages/bank/server/account-store.ts';
import { newAccount, withPayment } from '../../../../pages/bank/server/account.ts';
import { users } from '../../../../pages/bank/server/users.ts';
import { demoDatabase, table } from './tables.ts';

let now = Date.parse('2026-03-02T10:00:00.000Z');
let client: DynamoDBDocumentClient;
let accounts: AccountStore;

const [user] = users;
if (!user) throw new Error('The bank has no users.');
const account = { ...newAccount(user), balance: 10_000 };
const payment = { at: '2026-03-02T10:00:00.000Z', to: 'Café Zoë', amount: 100 };

beforeAll(async () => {
  client = await demoDatabase();
  accounts = accountStore(client, { table, now: () => now });
});

test('an account is read as it was written', async () => {
  expect(await accounts.read('alice')).toBeUndefined();
  expect(await accounts.write('alice', withPayment(account, payment), 0)).toBe(true);
  expect(await accounts.read('alice')).toEqual({ account: withPayment(account, payment), version: 1 });
  expect(await accounts.read('bob')).toBeUndefined();
});

test('an account that changed meanwhile is not written', async () => {
  expect(await accounts.write('bob', account, 0)).toBe(true);
  expect(await accounts.write('bob', account, 0)).toBe(false);
  expect(await accounts.write('bob', account, 2)).toBe(false);
  expect(await accounts.write('bob', account, 1)).toBe(true);
  expect(await accounts.write('bob', account, 1)).toBe(false);
  expect((await accounts.read('bob'))?.version).toBe(2);
});

test('no payment is lost among concurrent ones on several servers', async () => {
  const servers = Array.from({ length: 6 }, () => accountStore(client, { table, now: () => now }));
  await Promise.all(
    servers.map(
      async (one) => await changeAccount(one, user.userId, (current) => withPayment(current, payment)),
    ),
  );
  const { account: left } = (await accounts.read(user.userId)) ?? {};
  expect(left?.payments).toHaveLength(6);
  expect(left?.balance).toBe(user.balance - 6 * payment.amount);
});

test('an account is reset a day after its last change, also for writes', async () => {
  expect(await accounts.write('carol', account, 0)).toBe(true);
  now += 24 * 3_600_000 - 1_000;
  expect((await accounts.read('carol'))?.version).toBe(1);
  now += 1_000;
  expect(await accounts.read('carol')).toBeUndefined();
  expect(await accounts.write('carol', account, 1)).toBe(false);
  expect(await accounts.write('carol', account, 0)).toBe(true);
  expect((await accounts.read('carol'))?.version).toBe(1);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  for (const { ttl } of Items) expect(Number.isInteger(ttl)).toBe(true);
});
