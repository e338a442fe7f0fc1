import { brandOfTenantNamed, type StoredBrand } from '../brands.ts';
import { synchronize } from '../push/synchronize.ts';
import { AccountStore } from '../storage/account-store.ts';
import { openDatabase, ownDatabase } from '../storage/schema.ts';
import { notificationOf, type NotificationData, tenantIn } from './notification.ts';
import { deleteOldShells, keepShell, shellAnswer } from './shell.ts';
import { openChallenge, tellWindows } from './windows.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => event.waitUntil(keepShell()));

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      await deleteOldShells();
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener('fetch', (event) => {
  const answer = shellAnswer(event.request);
  if (answer) event.respondWith(answer);
});

// A new version waits until the user's windows agree, so that none loses the files that it may still load.
self.addEventListener('message', ({ data }) => {
  if (data === 'activate') void self.skipWaiting();
});

self.addEventListener('push', (event) => {
  event.waitUntil(notify(textOf(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openChallenge((event.notification.data ?? {}) as NotificationData));
});

async function notify(text: string | undefined): Promise<void> {
  const brand = await Promise.race([brandIn(text), afterMs(longestWaitMs)]);
  const { title, options } = notificationOf(text, Date.now(), { languages: self.navigator.languages, brand });
  const shown = self.registration.showNotification(title, options);
  await Promise.all([shown, tellWindows({ type: 'pushed', ...options.data })]);
}

/** A notification is worth more than its picture. */
const longestWaitMs = 500;

const afterMs = async (ms: number): Promise<undefined> =>
  await new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

async function brandIn(text: string | undefined): Promise<StoredBrand | undefined> {
  const tenant = tenantIn(text);
  if (tenant === undefined) return undefined;
  const database = openDatabase(ownDatabase);
  return await brandOfTenantNamed(database, new AccountStore(database), tenant).catch(() => undefined);
}

// The browser has replaced the subscription, so pushes to the old one are lost.
self.addEventListener('pushsubscriptionchange', (event) => {
  const store = new AccountStore(openDatabase(ownDatabase));
  (event as ExtendableEvent).waitUntil(synchronize(self.registration.pushManager, store));
});

function textOf(data: PushMessageData | null): string | undefined {
  try {
    return data?.text();
  } catch {
    return undefined;
  }
}
