import { Button } from '#ui/buttons.tsx';
import { Chip } from '#ui/states.tsx';
import { timeText } from '#ui/times.ts';
import type { User } from '../api/shapes.ts';
import { aboutConfirmation, statusLabels } from '../text/labels.ts';
import type { View } from '../view.ts';

/** What the user was asked in the last 14 days. Nobody here sees what the messages said. */
export function History({ view: { state, actions }, user }: { view: View; user: User }) {
  const names = new Map(user.devices.map(({ deviceId, name }) => [deviceId, name]));
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">Confirmations of 14 days</h2>
      {user.confirmations.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <table aria-labelledby="history-title">
          <thead>
            <tr>
              <th scope="col">Asked</th>
              <th scope="col">Result</th>
              <th scope="col">Device</th>
            </tr>
          </thead>
          <tbody>
            {user.confirmations.map((one) => {
              const { label, tone } = statusLabels[one.status];
              const about = aboutConfirmation(one);
              return (
                <tr key={one.challengeId}>
                  <td>
                    <time dateTime={one.askedAt}>{timeText(one.askedAt)}</time>
                  </td>
                  <td>
                    <Chip tone={tone}>{label}</Chip> {about}
                  </td>
                  <td>
                    <bdi>{one.deviceIds.map((id) => names.get(id) ?? 'a removed device').join(', ')}</bdi>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {user.before !== undefined && (
        <div class="actions">
          <Button isBusy={state.busy === 'more'} onClick={() => void actions.showMore()}>
            Show earlier ones
          </Button>
        </div>
      )}
    </section>
  );
}
