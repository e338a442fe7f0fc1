import { useLayoutEffect, useRef } from 'preact/hooks';
import { Hero } from '#ui/states.tsx';
import { Banners } from './components/banners.tsx';
import { Frame } from './components/frame.tsx';
import { WorkingScreen } from './components/page.tsx';
import { ChallengeScreen } from './screens/challenge/challenge.tsx';
import { Enrol } from './screens/enrol/enrol.tsx';
import { HistoryScreen } from './screens/history.tsx';
import { Home } from './screens/home.tsx';
import { Remove } from './screens/remove.tsx';
import { Rename } from './screens/rename.tsx';
import { Settings } from './screens/settings.tsx';
import type { State } from './state/state.ts';
import type { View } from './view.ts';

export function App({ view }: { view: View }) {
  useFocusOnChange(screenKey(view.state), view.state.stage.name ?? view.texts.appName);
  return (
    <Frame view={view}>
      {view.state.phase === 'ready' && <Banners view={view} />}
      <div class="stack" key={screenKey(view.state)}>
        <Screen view={view} />
      </div>
    </Frame>
  );
}

function Screen({ view }: { view: View }) {
  const { state, texts } = view;
  if (state.phase === 'starting') return <WorkingScreen>{texts.loading}</WorkingScreen>;
  if (state.phase === 'broken')
    return (
      <Hero icon="alert" tone="bad" title={texts.unsupported.title}>
        <p>{texts.unsupported.text}</p>
      </Hero>
    );
  switch (state.route.screen) {
    case 'home':
      return <Home view={view} />;
    case 'challenge':
      return <ChallengeScreen view={view} challengeId={state.route.challengeId} />;
    case 'history':
      return <HistoryScreen view={view} />;
    case 'settings':
      return <Settings view={view} />;
    case 'rename':
      return <Rename view={view} deviceId={state.route.deviceId} />;
    case 'remove':
      return <Remove view={view} deviceId={state.route.deviceId} />;
    case 'enrol':
      return <Enrol view={view} />;
  }
}

/** Screens with the same key are the same to the user. */
function screenKey(state: State): string {
  const { phase, route, enrolling, ended } = state;
  if (phase !== 'ready') return phase;
  if (route.screen === 'enrol') return `enrol ${enrolStepKey(enrolling?.step)}`;
  if (route.screen === 'rename' || route.screen === 'remove') return `${route.screen} ${route.deviceId}`;
  if (route.screen !== 'challenge') return route.screen;
  return `challenge ${route.challengeId} ${ended[route.challengeId] ? 'ended' : ''}`;
}

const enrolStepKey = (step: NonNullable<State['enrolling']>['step'] | undefined): string =>
  step?.at === 'entry' && step.way === 'scan' ? 'scan' : (step?.at ?? 'entry');

/** In a frame the focus stays with the page around it, until the user moves it in. */
const hasFocus = (): boolean => window === window.parent || document.hasFocus();

/** A screen reader begins to read where the screen changed, and the tab has its title. */
function useFocusOnChange(key: string, appName: string): void {
  const shown = useRef(key);
  useLayoutEffect(() => {
    const title = document.getElementById('title');
    if (title) document.title = `${title.textContent} – ${appName}`;
    if (shown.current === key) return;
    shown.current = key;
    if (hasFocus()) title?.focus();
  });
}
