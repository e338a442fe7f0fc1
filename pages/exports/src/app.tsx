import { useEffect } from 'preact/hooks';
import { Icon } from '../../app/src/components/icon.tsx';
import { Button, Problem } from './parts/page.tsx';
import { ExportScreen } from './screens/export.tsx';
import { Overview } from './screens/overview.tsx';
import { SignIn } from './screens/sign-in.tsx';
import type { Config, State } from './state/state.ts';
import { timeText } from './text/times.ts';
import { categoryNames } from './text/words.ts';
import type { View } from './view.ts';

/** The whole page for a state. */
export function App({ view }: { view: View }) {
  const { state } = view;
  const title = titleOf(state);
  useEffect(() => {
    document.title = `${title} – OMI`;
    document.getElementById('title')?.focus();
  }, [title]);
  return (
    <div class="frame">
      <a class="skip" href="#title" onClick={skip}>
        Skip to the content
      </a>
      <Header view={view} />
      <main>
        {state.session && state.problem !== undefined && (
          <Problem>{state.problem} What you see may be out of date.</Problem>
        )}
        <Screen view={view} />
      </main>
      <Footer config={state.config} />
      <p class="hidden" role="status">
        {state.announcement}
      </p>
    </div>
  );
}

function titleOf({ session, route }: State): string {
  if (!session) return 'See and steer your exports';
  return route.screen === 'exports' ? 'Your exports' : categoryNames[route.category];
}

/** The hash is the page's route, so the link itself must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('title')?.focus();
}

function Screen({ view }: { view: View }) {
  const { session, route } = view.state;
  if (!session) return <SignIn view={view} />;
  return route.screen === 'exports' ? (
    <Overview view={view} />
  ) : (
    <ExportScreen key={route.category} view={view} category={route.category} />
  );
}

const Header = ({ view: { state, actions } }: { view: View }) => (
  <header>
    <div class="bar-row">
      <p class="brand">
        <Icon name="shield" />
        OMI exports
      </p>
      {state.session && (
        <div class="who">
          <span class="muted small">Until {timeText(state.session.expiresAt)}</span>
          <Button onClick={() => actions.signOut()}>Forget the token</Button>
        </div>
      )}
    </div>
  </header>
);

const Footer = ({ config: { siteUrl, appUrl } }: { config: Config }) =>
  siteUrl === undefined && appUrl === undefined ? null : (
    <footer>
      <ul>
        {siteUrl !== undefined && (
          <li>
            <a href={siteUrl}>Demo bank</a>
          </li>
        )}
        {appUrl !== undefined && (
          <li>
            <a href={appUrl}>Web app</a>
          </li>
        )}
      </ul>
    </footer>
  );
