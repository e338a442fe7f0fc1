import { Button } from '#ui/buttons.tsx';
import { Problem, Title } from '#ui/states.tsx';
import { readScope, writeScope } from '../api/access-token.ts';
import type { Config } from '../state/state.ts';
import type { View } from '../view.ts';

export function SignIn({ view }: { view: View }) {
  const { config } = view.state;
  return (
    <div class="stack narrow">
      <Title>See and steer your exports</Title>
      <p>
        Where your events go, whether they arrive, what to do if they do not, and the ledger of all events
        that the service accepted.
      </p>
      {config.signIn && <AsMember view={view} />}
      <ByToken view={view} />
      <Example config={config} />
    </div>
  );
}

const AsMember = ({ view: { state, actions } }: { view: View }) => (
  <div class="card">
    <div class="actions">
      <Button kind="primary" isBusy={state.isSigningIn} onClick={() => void actions.signIn()}>
        Sign in
      </Button>
    </div>
    {state.signInProblem?.of === 'member' && <Problem>{state.signInProblem.text}</Problem>}
    <p class="muted small">
      The operator must have added you to the group of your tenant. Your sign-in stays in the memory of this
      window: a reload or another page forgets it.
    </p>
  </div>
);

/** A token is pasted, and stays in this window's memory. */
function ByToken({ view: { state, actions } }: { view: View }) {
  const { signInProblem, config } = state;
  const problem = signInProblem?.of === 'token' ? signInProblem.text : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLTextAreaElement;
    const pasted = field.value;
    // The field is no place to keep a token.
    field.value = '';
    void actions.paste(pasted);
  };
  return (
    <form class="card" onSubmit={submit} autocomplete="off">
      <label for="token">Access token</label>
      <textarea
        id="token"
        name="token"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={problem === undefined ? 'token-hint' : 'token-problem token-hint'}
      />
      {problem !== undefined && <Problem id="token-problem">{problem}</Problem>}
      <p id="token-hint" class="muted small">
        With the scopes <code>{readScope}</code>, to look, and <code>{writeScope}</code>, to test, pause and
        replay. A token with any other scope is refused. It stays in the memory of this window: a reload or
        another page forgets it.
      </p>
      <Button kind={config.signIn ? 'secondary' : 'primary'} submits>
        Show my exports
      </Button>
    </form>
  );
}

/** The secret is in no argument, which other users of the machine could see, and not in the shell's history. */
function Example({ config: { tokenUrl, scopePrefix = '' } }: { config: Config }) {
  if (tokenUrl === undefined) return null;
  const scope = [readScope, writeScope].map((name) => `${scopePrefix}${name}`).join(' ');
  return (
    <section class="stack close">
      <h2>How to get a token</h2>
      <p>
        With a client of your tenant that the operator has given these two scopes. The command asks for its id
        and secret, as <code>id:secret</code>:
      </p>
      <pre class="well code" tabIndex={0} aria-label="Command for a shell">
        {`(printf 'id:secret '; read -rs CLIENT; echo
printf 'user = "%s"' "$CLIENT" | curl -s -K - \\
  -d grant_type=client_credentials \\
  --data-urlencode "scope=${scope}" \\
  ${tokenUrl})`}
      </pre>
      <p>
        Paste the value of <code>access_token</code>.
      </p>
    </section>
  );
}
