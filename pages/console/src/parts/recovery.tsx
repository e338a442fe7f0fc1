import { Button } from '#ui/buttons.tsx';
import { Chip } from '#ui/states.tsx';
import { timeText } from '#ui/times.ts';
import { isSuspended, type Recovery, type User } from '../api/shapes.ts';
import { recoveryLabels } from '../text/labels.ts';
import type { View } from '../view.ts';
import { Confirm } from './confirm.tsx';

/** Lets the website enrol a device for a user who can confirm nothing any more. */
export function RecoveryPanel({ view, user }: { view: View; user: User }) {
  const { state, actions } = view;
  const { recovery, tenant } = user;
  const isOpen = recovery?.state === 'requested' || recovery?.state === 'allowed';
  return (
    <section class="card" aria-labelledby="recovery-title">
      <h2 id="recovery-title">Recovery</h2>
      {tenant.furtherDevices === 'confirm' ? (
        <p>
          For a user who can confirm on no device any more. The website may then enrol one device within 24
          hours. All devices of the user are told, and can stop it. Identify the caller first.
        </p>
      ) : (
        <p>
          {tenant.name} wants no confirmation for further devices, so no recovery is needed: the user signs in
          at the website and adds a device there. Remove the lost one above.
        </p>
      )}
      {recovery && <Current view={view} recovery={recovery} />}
      {!isOpen && state.question?.what === 'recovery' && (
        <Confirm
          view={view}
          question={
            tenant.recoveryBy === 'two'
              ? 'Have you identified the caller? Another member of staff must agree after you.'
              : 'Have you identified the caller? A stranger with the password could add a device of their own.'
          }
          yes={tenant.recoveryBy === 'two' ? 'Ask for a recovery' : 'Allow the recovery'}
          onYes={() => void actions.allowRecovery()}
        />
      )}
      {!isOpen && state.question?.what !== 'recovery' && !isSuspended(user) && (
        <div class="actions">
          <Button onClick={() => actions.ask({ what: 'recovery' })}>
            {tenant.recoveryBy === 'two' ? 'Ask for a recovery …' : 'Allow a recovery …'}
          </Button>
        </div>
      )}
    </section>
  );
}

function Current({ view: { state, actions }, recovery }: { view: View; recovery: Recovery }) {
  const { label, tone, meaning } = recoveryLabels[recovery.state];
  const isOwn = recovery.requestedBy === state.session?.memberId;
  const isOpen = recovery.state === 'requested' || recovery.state === 'allowed';
  return (
    <>
      <p class="cluster">
        <Chip tone={tone}>{label}</Chip>
        <span>{meaning}</span>
      </p>
      <p class="muted small">
        Asked for by {isOwn ? 'you' : recovery.requestedBy} at {timeText(recovery.requestedAt)}
        {isOpen && `, until ${timeText(recovery.expiresAt)}`}.
      </p>
      {isOpen && (
        <div class="actions">
          {recovery.state === 'requested' && !isOwn && (
            <Button
              kind="primary"
              isBusy={state.busy === 'recovery'}
              onClick={() => void actions.allowRecovery(recovery.recoveryId)}
            >
              Agree as the second person
            </Button>
          )}
          <Button onClick={() => void actions.act('withdraw-recovery')}>Withdraw the recovery</Button>
        </div>
      )}
    </>
  );
}
