import { render } from 'preact';
import { dress } from '#ui/stage/dress.ts';
import { pageBrandIn } from '#ui/stage/page-brand.ts';
import { App } from './app.tsx';
import { isComingBack, type SignInSettings } from '#ui/sign-in/settings.ts';
import { Controller } from './state/controller.ts';
import { initialState, screenOf, type State } from './state/state.ts';

/** What the page reads of its stack, at `/config.json`. */
type PageConfig = SignInSettings & { brand?: unknown };

async function start(root: HTMLElement): Promise<void> {
  const config = (await (await fetch('/config.json', { cache: 'no-store' })).json()) as PageConfig;
  const stage = pageBrandIn(config.brand);
  dress(stage.color);
  root.replaceChildren();
  const controller: Controller = new Controller(
    {
      now: Date.now,
      config,
      render: (state: State) => {
        render(<App view={{ state, actions: controller }} />, root);
      },
    },
    initialState(Date.now(), screenOf(location.hash), stage),
  );
  addEventListener('hashchange', () => controller.go(screenOf(location.hash)));
  // A page that comes back from the browser's memory would still know the token.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) controller.signOut();
  });
  if (isComingBack()) await controller.comeBack();
  else controller.show();
}

const root = document.getElementById('page');
if (root) void start(root);
