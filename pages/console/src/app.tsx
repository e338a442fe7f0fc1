import { useEffect } from 'preact/hooks';
import { Button } from '#ui/buttons.tsx';
import { Footer } from '#ui/footer.tsx';
import { Header } from '#ui/header.tsx';
import { Notice, Problem } from '#ui/states.tsx';
import { timeText } from '#ui/times.ts';
import { Exports } from './screens/exports.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { Tenants } from './screens/tenants.tsx';
import { Users } from './screens/users.tsx';
import { type Screen, screens, type State } from './state/state.ts';
import type { View } from './view.ts';

const titles: Readonly<Record<Screen, string>> = {
  users: 'Help a user',
  exports: 'Exports of all tenants',
  tenants: 'Tenants',
};

/** The whole page for a state. */
export function App({ view }: { view: View }) {
  const { state } = view;
  const title = state.session ? titles[state.screen] : 'Help desk';
  useEffect(() => {
    document.title = `${title} – ${nameOf(state)}`;
    document.getElementById('title')?.focus();
  }, [title, state.stage]);
  return (
    <div class="frame">
      <Top view={view} />
      <main class="wide">
        {state.problem !== undefined && <Problem>{state.problem}</Problem>}
        <div role="status">
          {state.announcement !== '' && (
            <Notice tone="good">
              <p>{state.announcement}</p>
            </Notice>
          )}
        </div>
        <Body view={view} />
      </main>
      <Footer stage={state.stage} />
    </div>
  );
}

const nameOf = ({ stage }: State): string => `${stage.name ?? 'OMI'} help desk`;

function Body({ view }: { view: View }) {
  const { session, screen } = view.state;
  if (!session) return <SignIn view={view} />;
  if (screen === 'exports') return <Exports view={view} />;
  return screen === 'tenants' ? <Tenants view={view} /> : <Users view={view} />;
}

const Top = ({ view: { state, actions } }: { view: View }) => (
  <Header name={nameOf(state)} skip="Skip to the content">
    {state.session?.isOperator && <Navigation state={state} />}
    {state.session && (
      <div class="cluster account">
        <span class="muted small">
          {state.session.name}, signed in until {timeText(state.session.expiresAt)}
        </span>
        <Button onClick={() => actions.signOut()}>Sign out</Button>
      </div>
    )}
  </Header>
);

const names: Readonly<Record<Screen, string>> = { users: 'Users', exports: 'Exports', tenants: 'Tenants' };

const Navigation = ({ state }: { state: State }) => (
  <nav aria-label="Help desk">
    <ul>
      {screens.map((screen) => (
        <li key={screen}>
          <a href={`#/${screen}`} aria-current={state.screen === screen ? 'page' : undefined}>
            {names[screen]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
