import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeIn } from '../../../support/browser/browser-of-run.ts';
import { usePlatform } from './world.ts';

const describe = await describeIn('chromium');

// It is closed and opened again.
const world = usePlatform({ own: { flags: [] } });

afterEach(async () => {
  for (const page of world.context.pages().slice(1)) await page.close();
});

/** Stores an enrolment that waits for the service's answer, with its key. */
const begin = async (page: Page, code = 'code-1') =>
  await page.evaluate(async (code) => {
    const preview = {
      tenant: 'Bank',
      expiresAt: '2026-11-22T09:40:00.000Z',
      userVerification: 'off',
    } as const;
    const link = { baseUrl: 'https://api.example', code };
    const { key } = await platform.enrolment.begin(link, 'Laptop', preview);
    return key.publicKey;
  }, code);

/** Makes an account of the key that waits, as the service's answer does. */
const addAccount = async (page: Page, deviceId: string, name = 'Laptop'): Promise<void> =>
  await page.evaluate(
    async ({ deviceId, name }) => {
      const key = await protocol.WebCryptoKey.generate();
      const { keyPair, publicKey } = key;
      const account = {
        deviceId,
        name,
        tenantName: 'Bank',
        label: 'Anna',
        tenantId: 'tenant',
        userId: 'user',
        baseUrl: 'https://api.example',
        enrolledAt: Date.now(),
      };
      await platform.accounts.list(); // The database is there.
      const open = indexedDB.open('omi');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const transaction = open.result.transaction('accounts', 'readwrite');
      transaction.objectStore('accounts').put({ account, keyPair, publicKey });
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      open.result.close();
      await platform.accounts.list();
    },
    { deviceId, name },
  );

const idsOf = async (page: Page) =>
  await page.evaluate(async () => (await platform.accounts.list()).map(({ deviceId }) => deviceId));

const deleteDatabase = async (page: Page): Promise<void> =>
  await page.evaluate(async () => {
    const request = indexedDB.deleteDatabase('omi');
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve;
      request.onerror = reject;
    });
  });

describe('a key', () => {
  test('cannot be exported, exists before the first call, and signs after a restart of the browser', async () => {
    const publicKey = await begin(await world.open());
    await world.relaunch();
    const page = await world.open();
    const result = await page.evaluate(async () => {
      const pending = await platform.enrolment.pending();
      if (!pending) return undefined;
      const { keyPair, publicKey } = pending.key;
      const data = new TextEncoder().encode('signed');
      const signature = await pending.key.sign(data);
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
      const verified = await crypto.subtle.verify(algorithm, keyPair.publicKey, signature.slice(), data);
      const exported = await crypto.subtle.exportKey('jwk', keyPair.privateKey).then(
        () => true,
        () => false,
      );
      return { publicKey, verified, exported };
    });
    expect(result).toEqual({ publicKey, verified: true, exported: false });
  });

  test('is the same for the same code, and another one for another code', async () => {
    const page = await world.open();
    const first = await begin(page, 'code-2');
    expect(await begin(page, 'code-2')).toEqual(first);
    expect(await begin(page, 'code-3')).not.toEqual(first);
  });
});

describe('accounts', () => {
  test('are reported by name, until the user has read it, when storage lost them', async () => {
    const page = await world.open();
    await addAccount(page, 'lost-device');
    await deleteDatabase(page);
    const lost = async () => await page.evaluate(async () => await platform.accounts.lost());
    expect(await idsOf(page)).toEqual([]);
    expect(await lost()).toEqual([{ deviceId: 'lost-device', tenantName: 'Bank', label: 'Anna' }]);
    await page.evaluate(async () => await platform.accounts.forgetLost('lost-device'));
    expect(await lost()).toEqual([]);
  });

  test('are removed by the user together with their history, are not reported as lost, and other tabs are notified', async () => {
    const [page, other] = [await world.open(), await world.open()];
    await addAccount(page, 'device-a');
    await addAccount(page, 'device-b');
    await page.evaluate(async () => {
      const entry = { challengeId: 'c', outcome: 'confirmed', at: 1, message: 'm' } as const;
      await platform.history.add({ ...entry, deviceId: 'device-a' });
      await platform.history.add({ ...entry, deviceId: 'device-b' });
    });
    const heard = other.evaluate(
      async () =>
        await new Promise<string[]>((resolve) => {
          platform.accounts.onChange(
            () => void platform.accounts.list().then((all) => resolve(all.map(({ deviceId }) => deviceId))),
          );
        }),
    );
    await other.evaluate(() => true); // The listener is there: evaluations run in order.
    await page.evaluate(async () => await platform.accounts.remove('device-a'));
    expect(await heard).toEqual(['device-b']);
    expect(await page.evaluate(async () => await platform.accounts.lost())).toEqual([]);
    const entries = await page.evaluate(async () => await platform.history.list());
    expect(entries.map(({ deviceId }) => deviceId)).toEqual(['device-b']);
  });

  test('keep the name of their tenant and the label of the account until they are removed', async () => {
    const page = await world.open();
    await addAccount(page, 'device-c');
    const named = async (names: { tenant: string; account?: string }) =>
      await page.evaluate(async (names) => {
        await platform.accounts.setNames('device-c', names);
        const account = (await platform.accounts.list()).find(({ deviceId }) => deviceId === 'device-c');
        return [account?.tenantName, account?.label];
      }, names);
    expect(await named({ tenant: 'Bank', account: 'Anna' })).toEqual(['Bank', 'Anna']);
    expect((await named({ tenant: 'Bank' }))[1] ?? undefined).toBeUndefined();
  });
});

describe('the history', () => {
  test('keeps the newest 200 entries of an account, newest first, one for each challenge', async () => {
    const page = await world.open();
    const entries = await page.evaluate(async () => {
      const entry = { deviceId: 'busy', outcome: 'denied', message: 'm' } as const;
      await platform.history.add({ ...entry, deviceId: 'quiet', challengeId: 'kept', at: 0 });
      for (let at = 1; at <= 203; at += 1)
        await platform.history.add({ ...entry, challengeId: `challenge-${at}`, at });
      await platform.history.add({ ...entry, challengeId: 'challenge-203', at: 204, outcome: 'failed' });
      return {
        busy: await platform.history.list('busy'),
        quiet: await platform.history.list('quiet'),
      };
    });
    expect(entries.quiet).toHaveLength(1);
    expect(entries.busy).toHaveLength(200);
    expect(entries.busy[0]).toMatchObject({ challengeId: 'challenge-203', outcome: 'failed' });
    expect(entries.busy.at(-1)).toMatchObject({ challengeId: 'challenge-4' });
  });

  test('keeps an answer even if another tab recorded a withdrawal', async () => {
    const page = await world.open();
    const outcomes = await page.evaluate(async () => {
      const entry = { deviceId: 'two-tabs', challengeId: 'c', message: 'm' };
      await platform.history.add({ ...entry, at: 1, outcome: 'cancelled' });
      await platform.history.add({ ...entry, at: 2, outcome: 'confirmed' });
      await platform.history.add({ ...entry, at: 3, outcome: 'cancelled' });
      return (await platform.history.list('two-tabs')).map(({ outcome }) => outcome);
    });
    expect(outcomes).toEqual(['confirmed']);
  });
});

describe('another tab with a newer version of the database', () => {
  test('is not blocked, and this tab shows that it is outdated', async () => {
    const page = await world.open();
    await page.evaluate(async () => await platform.accounts.list());
    const other = await world.open();
    // Resolves only if the other connections close.
    await other.evaluate(async () => {
      const request = indexedDB.open('omi', 99);
      await new Promise((resolve, reject) => {
        request.onsuccess = resolve;
        request.onerror = reject;
      });
    });
    const failure = await page.evaluate(
      async () => await platform.accounts.list().catch((error: unknown) => ({ ...(error as object) })),
    );
    expect(failure).toMatchObject({ name: 'StorageError', code: 'outdated' });
    await other.close();
    await deleteDatabase(page);
    expect(await idsOf(page)).toEqual([]);
  });
});
