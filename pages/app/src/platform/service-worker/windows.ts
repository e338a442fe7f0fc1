import type { TabMessage } from '../model.ts';
import type { NotificationData } from './notification.ts';

declare const self: ServiceWorkerGlobalScope;

const windows = async () => await self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Tells every open window. */
export async function tellWindows(message: TabMessage): Promise<void> {
  for (const window of await windows()) window.postMessage(message);
}

/** Shows the challenge in a window that is open, preferably one that the user sees, else in a new one. */
export async function openChallenge({ challengeId }: NotificationData): Promise<void> {
  const open = await windows();
  const window = open.find(({ visibilityState }) => visibilityState === 'visible') ?? open[0];
  if (!window) {
    await self.clients.openWindow(challengeId === undefined ? '/#/' : `/#/challenge/${challengeId}`);
    return;
  }
  window.postMessage({
    type: 'opened',
    ...(challengeId !== undefined && { challengeId }),
  } satisfies TabMessage);
  await window.focus();
}
