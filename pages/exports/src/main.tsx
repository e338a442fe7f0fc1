import { render } from 'preact';
import { isComingBack } from '#ui/sign-in/settings.ts';
import { dress } from '#ui/stage/dress.ts';
import { pageBrandIn } from '#ui/stage/page-brand.ts';
import { App } from './app.tsx';
import { KeptCheckpoints } from './log/kept-checkpoints.ts';
import { Controller } from './state/controller.ts';
import { KeptReplays } from './state/kept-replays.ts';
import { type Config, routeOf, type State } from './state/state.ts';

async function readConfig(): Promise<Config> {
  try {
    const config = (await (await fetch('/config.json', { cache: 'no-store' })).json()) as Config;
    return { ...config, brand: pageBrandIn(config.brand) };
  } catch {
    // A token can still be pasted.
    return {};
  }
}

const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  const controller: Controller = new Controller(
    {
      now: Date.now,
      kept: new KeptReplays(sessionStorage),
      checkpoints: new KeptCheckpoints(localStorage),
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
  void readConfig().then(async (config) => {
    dress(config.brand?.color);
    controller.configure(config);
    if (isComingBack()) await controller.comeBack();
  });
}
