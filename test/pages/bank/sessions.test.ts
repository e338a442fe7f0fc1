import { expect, test } from '@jest/globals';
import { memoryStore } from '#website';
import { Sessions } from '../../../pages/bank/server/sessions.ts';

const requestWith = (cookie: string) =>
  new Request('https://bank.example/bank/account', { headers: { cookie } });

test('the cookie is only sent with TLS, and bound to the host, if the site has https', async () => {
  const sessions = new Sessions({ store: memoryStore(), isSecure: true, now: Date.now });
  const { cookie, session } = await sessions.begin('customer');
  expect(cookie).toMatch(
    /^__Host-bank-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  const [pair = ''] = cookie.split(';');
  expect(await sessions.find(requestWith(`a=b; ${pair}; c=d`))).toEqual(session);
  expect(await sessions.find(requestWith(pair.replace('__Host-', '')))).toBeUndefined();
});

test('the store does not contain the secret of a cookie', async () => {
  const keys: string[] = [];
  const store = memoryStore();
  const recording = {
    ...store,
    put: async (...call: Parameters<typeof store.put>) => {
      keys.push(JSON.stringify(call));
      await store.put(...call);
    },
  };
  const sessions = new Sessions({ store: recording, isSecure: false, now: Date.now });
  const { session } = await sessions.begin('customer');
  expect(keys).toHaveLength(1);
  expect(keys.join('')).not.toContain(session.id);
});

test('a session ends by its time', async () => {
  let now = 1_000_000;
  const store = memoryStore({ now: () => now });
  const sessions = new Sessions({ store, isSecure: false, now: () => now });
  const [pair = ''] = (await sessions.begin('customer')).cookie.split(';');
  now += 8 * 3600 * 1000 - 1;
  expect(await sessions.find(requestWith(pair))).toBeDefined();
  now += 1;
  expect(await sessions.find(requestWith(pair))).toBeUndefined();
});

test.each(['', 'bank-session=', 'bank-session=short', `bank-session=${'!'.repeat(43)}`])(
  'an invalid cookie finds no session: %s',
  async (cookie) => {
    const sessions = new Sessions({ store: memoryStore(), isSecure: false, now: Date.now });
    expect(await sessions.find(requestWith(cookie))).toBeUndefined();
  },
);
