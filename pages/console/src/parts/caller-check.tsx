import { Button } from '#ui/buttons.tsx';
import { Chip, Problem } from '#ui/states.tsx';
import { type Check, isSuspended, type User } from '../api/shapes.ts';
import { verdictOn } from '../text/labels.ts';
import type { View } from '../view.ts';

/** "Is it really you?": a number on the device, which the caller reads out. */
export function CallerCheck({ view, user }: { view: View; user: User }) {
  const { state, actions } = view;
  const canAsk = user.devices.length > 0 && !isSuspended(user);
  return (
    <section class="card" aria-labelledby="check-title">
      <h2 id="check-title">Is it really you?</h2>
      <p>
        Shows a number on the caller's device. Only the caller can read it out: you do not see it. Nobody who
        calls in the name of the user can.
      </p>
      {state.check ? (
        <Asked view={view} check={state.check} />
      ) : (
        !canAsk && (
          <p class="muted">
            {user.devices.length === 0
              ? 'The user has no device. Identify the caller in another way.'
              : 'The user, or the tenant, is suspended.'}
          </p>
        )
      )}
      {canAsk && (
        <div class="actions">
          <Button
            kind={state.check ? 'secondary' : 'primary'}
            isBusy={state.busy === 'check'}
            onClick={() => void actions.check()}
          >
            {state.check ? 'Ask again' : 'Ask on all devices'}
          </Button>
          {user.devices.length > 1 &&
            user.devices.map(({ deviceId, name }) => (
              <Button key={deviceId} onClick={() => void actions.check(deviceId)}>
                <span>
                  Only on <bdi>{name}</bdi>
                </span>
              </Button>
            ))}
        </div>
      )}
    </section>
  );
}

function Asked({ view: { state, actions }, check }: { view: View; check: Check }) {
  const { label, tone, meaning } = verdictOn(check);
  const isOpen =
    check.comparison === 'waiting' && (check.status === 'pending' || check.status === 'confirmed');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { value } = form.elements.namedItem('number') as HTMLInputElement;
    form.reset();
    void actions.compare(value);
  };
  return (
    <>
      <p class="cluster" role="status">
        <Chip tone={tone}>{label}</Chip>
        <span>{meaning}</span>
      </p>
      {state.isNumberWrong === true && check.comparison === 'waiting' && (
        <Problem>
          That is not the number on the device. {check.triesLeft} {check.triesLeft === 1 ? 'try' : 'tries'}{' '}
          left.
        </Problem>
      )}
      {isOpen && (
        <form class="number" onSubmit={submit} autocomplete="off">
          <div class="field">
            <label for="number">What the caller reads out</label>
            <input
              id="number"
              name="number"
              inputMode="numeric"
              required
              pattern="\s*(\d\s*){6}"
              title="Six digits"
              maxLength={12}
            />
          </div>
          <div class="actions">
            <Button kind="primary" submits isBusy={state.busy === 'compare'}>
              Compare
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
