import { render } from 'preact';
import { App } from './app.tsx';
import { Controller } from './state/controller.ts';
import { type Config, routeOf, type State } from './state/state.ts';

async function readConfig(): Promise<Config> {
  try {
    return (await (await fetch('/config.json', { cache: 'no-store' })).json()) as Config;
  } catch {
    // It only has links and examples.
    return {};
  }
}

const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  const controller: Controller = new Controller(
    {
      now: Date.now,
      isVisible: () => document.visibilityState === 'visible',
      copy: async (text) => await navigator.clipboard.writeText(text),
      render: (state: State) => {
        render(<App view={{ state, actions: controller }} />, root);
      },
    },
    routeOf(location.hash),
  );
  controller.configure({});
  addEventListener('hashchange', () => controller.go(routeOf(location.hash)));
  document.addEventListener('visibilitychange', () => {
    controller.wake();
  });
  // A page that comes back from the browser's memory would still know the token.
  addEventListener('pagehide', () => controller.signOut());
  void readConfig().then((config) => controller.configure(config));
}
