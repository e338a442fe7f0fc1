import { useEffect } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { Header } from '#ui/header.tsx';
import { Problem } from '#ui/states.tsx';
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
      <Top view={view} />
      <main class="wide">
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

function Screen({ view }: { view: View }) {
  const { session, route } = view.state;
  if (!session) return <SignIn view={view} />;
  return route.screen === 'exports' ? (
    <Overview view={view} />
  ) : (
    <ExportScreen key={route.category} view={view} category={route.category} />
  );
}

const Top = ({ view: { state, actions } }: { view: View }) => (
  <Header name="OMI exports" skip="Skip to the content">
    {state.session && (
      <div class="cluster account">
        <span class="muted small">Until {timeText(state.session.expiresAt)}</span>
        <Button onClick={() => actions.signOut()}>Forget the token</Button>
      </div>
    )}
  </Header>
);

const Footer = ({ config: { siteUrl, appUrl } }: { config: Config }) =>
  siteUrl === undefined && appUrl === undefined ? null : (
    <footer class="wide">
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
