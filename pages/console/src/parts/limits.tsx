import { Button } from '#ui/buttons.tsx';
import { Chip } from '#ui/states.tsx';
import { timeText } from '#ui/times.ts';
import type { User } from '../api/shapes.ts';
import { isReached, limitNames } from '../text/labels.ts';
import type { View } from '../view.ts';

export function Limits({ view: { state, actions }, user }: { view: View; user: User }) {
  const names = new Map(user.devices.map(({ deviceId, name }) => [deviceId, name]));
  return (
    <section class="card" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits</h2>
      <ul class="lines">
        {user.limits.map((limit) => (
          <li key={`${limit.limit} ${limit.deviceId ?? ''}`} class="cluster">
            <span>
              {limitNames[limit.limit] ?? limit.limit}
              {limit.deviceId !== undefined && (
                <>
                  {' ('}
                  <bdi>{names.get(limit.deviceId)}</bdi>)
                </>
              )}
              : {limit.counted} of {limit.allowed}
            </span>
            {limit.reachedUntil !== undefined && (
              <Chip tone="warn">Reached until {timeText(limit.reachedUntil)}</Chip>
            )}
          </li>
        ))}
      </ul>
      <p class="muted small">
        They protect the user from being asked until they give in. Reset them only for a caller whom you have
        recognised.
      </p>
      <div class="actions">
        <Button isBusy={state.busy === 'reset-limits'} onClick={() => void actions.act('reset-limits')}>
          {user.limits.some(isReached) ? 'Reset the limits: they are reached' : 'Reset the limits'}
        </Button>
      </div>
    </section>
  );
}
