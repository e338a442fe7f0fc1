/** The badge on the app's icon, in systems that have one. What fails is no loss: the requests are in the app. */

/** @param count requests that wait; without it there is one at least */
export async function showBadge(count?: number): Promise<void> {
  if ('setAppBadge' in navigator) await navigator.setAppBadge(count).catch(() => undefined);
}

export async function clearBadge(): Promise<void> {
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge().catch(() => undefined);
}
