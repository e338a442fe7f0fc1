import { Button } from '#ui/buttons.tsx';
import { Problem, Title } from '#ui/states.tsx';
import type { View } from '../view.ts';

export const SignIn = ({ view: { state, actions } }: { view: View }) => (
  <div class="stack narrow">
    <Title>Help desk</Title>
    <p>
      Help a user who has lost a phone, find out whether a caller is who they say, and stop what looks like an
      attack. Everything that you do is recorded, with your name.
    </p>
    {state.signInProblem !== undefined && <Problem>{state.signInProblem}</Problem>}
    <div class="actions">
      <Button kind="primary" isBusy={state.isSigningIn} onClick={() => void actions.signIn()}>
        Sign in
      </Button>
    </div>
    <p class="muted small">
      Your sign-in stays in the memory of this window: a reload or another page forgets it.
    </p>
  </div>
);
