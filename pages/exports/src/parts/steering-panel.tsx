import { Button } from '#ui/buttons.tsx';
import { Notice, Problem } from '#ui/states.tsx';
import type { Export } from '../api/shapes.ts';
import type { View } from '../view.ts';

/** Pauses and resumes. What the operator has paused, only the operator resumes. */
export function SteeringPanel({ view: { state, actions }, one }: { view: View; one: Export }) {
  const { category } = one;
  const request = state.panels[category].steering;
  const isPaused = one.state === 'paused';
  const isOperators = isPaused && one.action?.who === 'operator';
  const isBusy = request.phase === 'sending';
  if (!state.session?.canAct || one.state === 'validating') return null;
  return (
    <section class="card" aria-labelledby="steering-title">
      <h2 id="steering-title">{isPaused ? 'Resume' : 'Pause'}</h2>
      {isOperators ? (
        <Notice tone="info">
          <p>The operator paused this export. Only the operator can resume it.</p>
        </Notice>
      ) : (
        <p>
          {isPaused
            ? 'The events that wait are delivered first.'
            : 'While an export is paused, its events wait, for 14 days at most.'}
        </p>
      )}
      {request.phase === 'refused' && <Problem>{request.problem}</Problem>}
      {!isOperators && (
        <div class="actions">
          {isPaused ? (
            <Button kind="primary" isBusy={isBusy} onClick={() => void actions.steer(category, 'resume')}>
              Resume
            </Button>
          ) : request.phase === 'confirming' ? (
            <>
              <Button kind="primary" onClick={() => void actions.steer(category, 'pause')}>
                Yes, pause
              </Button>
              <Button onClick={() => actions.leaveAsItIs(category)}>No, leave it as it is</Button>
            </>
          ) : (
            <Button isBusy={isBusy} onClick={() => actions.beginPause(category)}>
              Pause …
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
