import type { Platform } from '../platform/index.ts';
import { routeOf } from '../routes.ts';
import type { Message } from '../state/messages.ts';
import { loadAccounts } from './run-effect.ts';

type Send = (message: Message) => void;

const tickMs = 1_000;

/** Turns what the browser tells into messages, as long as the page lives. */
export function listen(platform: Platform, send: Send): void {
  platform.accounts.onChange(() => void loadAccounts(platform, send).catch(() => undefined));
  platform.network.onChange((online) => send({ type: 'network', online }));
  platform.tabs.onMessage((message) => send({ type: 'tab', message }));
  platform.install.onChange((install) => send({ type: 'install-state', install }));
  platform.updates.onAvailable(() => send({ type: 'update-ready' }));
  platform.push.onChange(() => {
    void platform.push.refresh().then(
      (health) => send({ type: 'push-health', health }),
      () => undefined,
    );
  });
  window.addEventListener('hashchange', () => send({ type: 'routed', route: routeOf(location.hash) }));
  window.addEventListener('focus', () => send({ type: 'woken' }));
  document.addEventListener('visibilitychange', () =>
    send({ type: 'visibility', visible: document.visibilityState === 'visible' }),
  );
  setInterval(() => send({ type: 'ticked' }), tickMs);
}
