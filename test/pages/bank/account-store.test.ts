import { expect, test } from '@jest/globals';
import {
  type AccountStore,
  changeAccount,
  memoryAccounts,
  readAccount,
} from '../../../pages/bank/server/account-store.ts';

const userId = 'customer-2071';

test('a change that is overtaken by another starts again from the new account', async () => {
  const store = memoryAccounts();
  let reads = 0;
  const overtaken: AccountStore = {
    ...store,
    read: async (id) => {
      const stored = await store.read(id);
      reads += 1;
      if (reads === 1)
        await changeAccount(store, id, (account) => ({ ...account, balance: account.balance - 1_000 }));
      return stored;
    },
  };
  const { balance } = (await readAccount(store, userId)).account;
  await changeAccount(overtaken, userId, (account) => ({ ...account, balance: account.balance - 500 }));
  expect((await readAccount(store, userId)).account.balance).toBe(balance - 1_500);
  expect(reads).toBe(2);
});

test('a refused change leaves the account unchanged', async () => {
  const store = memoryAccounts();
  const refused = changeAccount(store, userId, () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(await store.read(userId)).toBeUndefined();
});
