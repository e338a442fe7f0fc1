import type { TabMessage } from '../model.ts';
import type { NotificationData } from './notification.ts';

declare const self: ServiceWorkerGlobalScope;

/** Pages of the app itself: the phone in another page's frame has a storage of its own. */
const windows = async () =>
  (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(
    ({ frameType }) => frameType !== 'nested',
  );

/** Tells every open window. One that is being closed is no fault. */
export async function tellWindows(message: TabMessage): Promise<void> {
  for (const window of await windows()) post(window, message);
}

function post(window: WindowClient, message: TabMessage, ...ports: MessagePort[]): boolean {
  try {
    window.postMessage(message, ports);
    return true;
  } catch {
    return false;
  }
}

/** A page that takes longer sleeps or hangs. The browser lets a click open a window for some seconds only. */
const answerMs = 1_000;

/** Shows the challenge in a window that is open, preferably one that the user sees, else in a new one. */
export async function openChallenge({ challengeId }: NotificationData): Promise<void> {
  const open = await windows();
  const window = open.find(({ visibilityState }) => visibilityState === 'visible') ?? open[0];
  if (
    window &&
    (await isShownIn(window, { type: 'opened', ...(challengeId !== undefined && { challengeId }) }))
  )
    return;
  await self.clients.openWindow(challengeId === undefined ? '/#/' : `/#/challenge/${challengeId}`);
}

/** The focus comes last: browsers allow one of focusing and opening for each click. */
async function isShownIn(window: WindowClient, message: TabMessage): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerMs);
  });
  try {
    if (!post(window, message, port2) || !(await answered)) return false;
    await window.focus();
    return true;
  } catch {
    return false;
  } finally {
    port1.close();
  }
}
