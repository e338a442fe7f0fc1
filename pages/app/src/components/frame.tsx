import type { ComponentChildren } from 'preact';
import { Header } from '#ui/header.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { hashOf, type Route } from '../routes.ts';
import type { View } from '../view.ts';

/** Brand, navigation and the place for the screen. */
export function Frame({ view, children }: { view: View; children: ComponentChildren }) {
  const { state, texts } = view;
  return (
    <div class="frame">
      <Header name={state.stage.name ?? texts.appName} skip={texts.skipToContent} />
      <main class="wide">{children}</main>
      {hasNavigation(view) && <Navigation current={state.route.screen} view={view} />}
    </div>
  );
}

/** A task that one should finish or leave has no navigation beside it. */
const hasNavigation = ({ state }: View): boolean =>
  state.phase === 'ready' &&
  (state.route.screen === 'home' || state.route.screen === 'history' || state.route.screen === 'settings');

const places: readonly (readonly ['home' | 'history' | 'settings', IconName])[] = [
  ['home', 'inbox'],
  ['history', 'history'],
  ['settings', 'settings'],
];

const Navigation = ({ current, view: { state, texts } }: { current: Route['screen']; view: View }) => (
  <nav aria-label={texts.nav.label}>
    {places.map(([screen, icon]) => (
      <a key={screen} href={hashOf({ screen })} aria-current={screen === current ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{texts.nav[screen]}</span>
        {screen === 'home' && state.challenges.length > 0 && (
          <span class="count" aria-hidden="true">
            {state.challenges.length}
          </span>
        )}
      </a>
    ))}
  </nav>
);
