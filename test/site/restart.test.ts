import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OwnStack } from '../support/own-stack.ts';
import { Visitor } from './visitor.ts';

const anna = 'customer-2071';
let dataDirectory: string;
let stack: OwnStack;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'omi-bank-data-'));
  stack = new OwnStack({ dataDirectory });
  await stack.start();
});
afterAll(async () => {
  await stack.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

test('after a restart with OMI_DATA the phones are still there; sessions are over, and the accounts begin anew', async () => {
  const before = new Visitor(stack.file.siteUrl);
  await before.signIn(anna);
  const phone = await before.enrol('Phone');
  const payment = { action: 'payment', to: 'Café Zoë', amount: '10' };
  const paid = { ...payment, 'omi-confirmation': await before.confirm(phone, payment) };
  expect((await before.post('/bank/payments', paid)).status).toBe(200);

  await stack.stop();
  stack = new OwnStack({ dataDirectory });
  await stack.start();

  const after = new Visitor(stack.file.siteUrl, before.cookie);
  expect((await after.call('/bank/account')).status).toBe(401);
  await after.signIn(anna);
  expect((await after.post('/bank/payments', paid)).status).toBe(403);
  const { devices, payments } = await after.account();
  expect(devices).toMatchObject([{ deviceId: phone.identity.deviceId }]);
  expect(payments).toEqual([]);
  expect((await after.ask(payment, phone.identity.deviceId)).status).toBe(201);
});
