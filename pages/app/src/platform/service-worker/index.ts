import { showBadge, clearBadge } from '../badge.ts';
import { brandOfTenantNamed, type StoredBrand } from '../brands.ts';
import type { TabMessage } from '../model.ts';
import { synchronize } from '../push/synchronize.ts';
import { AccountStore } from '../storage/account-store.ts';
import { openDatabase, ownDatabase } from '../storage/schema.ts';
import { answerFromNotification } from './answering.ts';
import { notificationOf, type NotificationData, tenantIn } from './notification.ts';
import { deleteOldShells, keepShell, shellAnswer } from './shell.ts';
import { textsIn } from './texts.ts';
import { openChallenge, tellWindows } from './windows.ts';
import { deviceOf } from '../device-of.ts';

/**
 * The badge after an answer counts the questions that still wait, at all accounts. It stays as it is if nothing is found and an account
 * could not be asked.
 *
 * @param answered the challenge that has just ended
 */
async function showWhatWaits(answered: string): Promise<void> {
  const accounts = await new AccountStore(openDatabase(ownDatabase)).list();
  const asked = await Promise.allSettled(
    accounts.map(async (account) => await deviceOf(account).challenges()),
  );
  const waiting = asked
    .flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    .filter(({ challengeId }) => challengeId !== answered);
  if (waiting.length > 0) await showBadge(waiting.length);
  else if (asked.every(({ status }) => status === 'fulfilled')) await clearBadge();
}

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
  event.waitUntil(follow(event.notification, event.action));
});

/** A press on an action answers. Where that does not work, the app says why. */
async function follow({ title, body, icon, data }: Notification, action: string): Promise<void> {
  const { challengeId } = (data ?? {}) as NotificationData;
  const isAction = action === 'confirm' || action === 'deny';
  const outcome =
    isAction && challengeId !== undefined
      ? await answerFromNotification(challengeId, action, body).catch(() => undefined)
      : undefined;
  if (challengeId === undefined || (outcome !== 'confirmed' && outcome !== 'denied')) {
    await openChallenge({ ...(challengeId !== undefined && { challengeId }) });
    return;
  }
  new BroadcastChannel(ownDatabase).postMessage({
    type: 'answered',
    challengeId,
    outcome,
  } satisfies TabMessage);
  await Promise.all([
    self.registration.showNotification(title, {
      ...{ body: `${textsIn(self.navigator.languages)[outcome]} ${body}`, tag: challengeId, silent: true },
      ...{ icon, badge: '/icons/badge-96.png' },
    }),
    showWhatWaits(challengeId),
  ]);
}

async function notify(text: string | undefined): Promise<void> {
  const brand = await Promise.race([brandIn(text), afterMs(longestWaitMs)]);
  const languages = self.navigator.languages;
  const { title, options, answered } = notificationOf(text, Date.now(), { languages, brand });
  const shown = self.registration.showNotification(title, options);
  const badge = options.requireInteraction ? showBadge() : undefined;
  const others = answered === undefined ? undefined : showWhatWaits(answered);
  await Promise.all([shown, badge, others, tellWindows({ type: 'pushed', ...options.data })]);
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
