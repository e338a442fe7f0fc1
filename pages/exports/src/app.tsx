import { useEffect } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { BrandMark } from '#ui/brand-mark.tsx';
import { Footer } from '#ui/footer.tsx';
import { ForeignText } from '#ui/foreign-text.tsx';
import { Header } from '#ui/header.tsx';
import { Problem } from '#ui/states.tsx';
import { ExportScreen } from './screens/export.tsx';
import { Overview } from './screens/overview.tsx';
import { SignIn } from './screens/sign-in.tsx';
import type { State } from './state/state.ts';
import { timeText } from '#ui/times.ts';
import { categoryNames } from './text/labels.ts';
import type { View } from './view.ts';

/** The whole page for a state. */
export function App({ view }: { view: View }) {
  const { state } = view;
  const { config } = state;
  const title = titleOf(state);
  const name = nameOf(state);
  useEffect(() => {
    document.title = `${title} – ${name}`;
  }, [title, name]);
  useEffect(() => document.getElementById('title')?.focus(), [title]);
  return (
    <div class="frame">
      <Top view={view} />
      <main class="wide">
        {state.session && state.problem !== undefined && (
          <Problem>{state.problem} What you see may be out of date.</Problem>
        )}
        <Screen view={view} />
      </main>
      <Footer stage={config.brand} links={{ 'Demo bank': config.siteUrl, 'Web app': config.appUrl }} />
      <p class="hidden" role="status">
        {state.announcement}
      </p>
    </div>
  );
}

const nameOf = ({ config: { brand } }: State): string => brand?.name ?? 'OMI';

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
  <Header name={`${nameOf(state)} exports`} skip="Skip to the content">
    {state.session && (
      <div class="cluster account">
        {state.tenant && (
          <span class="cluster">
            <strong>
              <ForeignText text={state.tenant.name} />
            </strong>
            <BrandMark brand={state.brand} tenant={state.tenant.name} />
          </span>
        )}
        <span class="muted small">
          {state.session.name === undefined ? (
            'Your token is valid until '
          ) : (
            <>
              <ForeignText text={state.session.name} />, signed in until{' '}
            </>
          )}
          {timeText(state.session.expiresAt)}, by the clock of its issuer
        </span>
        <Button onClick={() => actions.signOut()}>
          {state.session.name === undefined ? 'Forget the token' : 'Sign out'}
        </Button>
      </div>
    )}
  </Header>
);
