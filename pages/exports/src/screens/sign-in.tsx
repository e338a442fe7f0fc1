import { Button } from '#ui/buttons.tsx';
import { Problem, Title } from '#ui/states.tsx';
import { readScope, writeScope } from '../api/access-token.ts';
import type { Config } from '../state/state.ts';
import type { View } from '../view.ts';

/** A token is pasted, and stays in this window's memory. */
export function SignIn({ view: { state, actions } }: { view: View }) {
  const { signInProblem, config } = state;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem('token') as HTMLTextAreaElement;
    const pasted = field.value;
    // The field is no place to keep a token.
    field.value = '';
    void actions.signIn(pasted);
  };
  return (
    <div class="stack narrow">
      <Title>See and steer your exports</Title>
      <p>
        Where your events go, whether they arrive, what to do if they do not, and the ledger of all events
        that the service accepted.
      </p>
      <form class="card" onSubmit={submit} autocomplete="off">
        <label for="token">Access token</label>
        <textarea
          id="token"
          name="token"
          rows={4}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-invalid={signInProblem === undefined ? undefined : 'true'}
          aria-describedby={signInProblem === undefined ? 'token-hint' : 'token-problem token-hint'}
        />
        {signInProblem !== undefined && <Problem id="token-problem">{signInProblem}</Problem>}
        <p id="token-hint" class="muted small">
          With the scopes <code>{readScope}</code>, to look, and <code>{writeScope}</code>, to test, pause and
          replay. A token with any other scope is refused. It stays in the memory of this window: a reload or
          another page forgets it.
        </p>
        <Button kind="primary" submits>
          Show my exports
        </Button>
      </form>
      <Example config={config} />
    </div>
  );
}

/** The secret is in no argument, which other users of the machine could see, and not in the shell's history. */
function Example({ config: { tokenUrl, scopePrefix = '' } }: { config: Config }) {
  if (tokenUrl === undefined) return null;
  const scope = [readScope, writeScope].map((name) => `${scopePrefix}${name}`).join(' ');
  return (
    <section class="stack close">
      <h2>How to get one</h2>
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
