import { Button } from '#ui/buttons.tsx';
import { Notice, Problem } from '#ui/states.tsx';
import { eventsText, timeText } from '#ui/times.ts';
import type { Category, Export } from '../api/shapes.ts';
import type { View } from '../view.ts';

type Props = { view: View; category: Category; givenUp: NonNullable<Export['givenUp']> };

/** What did not arrive. It is sent again, or somebody says why it stays missing. */
export function GivenUp({ view: { state, actions }, category, givenUp: { count, losses } }: Props) {
  const request = state.panels[category].givenUp;
  const isBusy = request.phase === 'sending';
  return (
    <Notice tone="bad">
      <p>
        <strong>{count === null ? 'Events' : eventsText(count)} did not arrive.</strong>
      </p>
      <ul>
        {losses.map(({ from, to, events, eventIds = [], reason }) => (
          <li key={from}>
            {events === undefined ? 'Events' : eventsText(events)}, accepted between {timeText(from)} and{' '}
            {timeText(to)}. {reason}
            {eventIds.length > 0 && <span class="value"> {eventIds.join(' ')}</span>}
          </li>
        ))}
      </ul>
      {request.phase === 'refused' && <Problem>{request.problem}</Problem>}
      {state.session?.canAct && (
        <>
          <div class="actions">
            <Button kind="primary" isBusy={isBusy} onClick={() => void actions.replayGivenUp(category)}>
              Send these again
            </Button>
          </div>
          <DismissalForm isBusy={isBusy} send={(reason) => void actions.dismissGivenUp(category, reason)} />
        </>
      )}
    </Notice>
  );
}

/** The log of the tenant says who left events missing, and why. */
function DismissalForm({ isBusy, send }: { isBusy: boolean; send: (reason: string) => void }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { value } = form.elements.namedItem('reason') as HTMLInputElement;
    if (!isBusy && value.trim() !== '') send(value.trim());
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label for="reason">Or say why they may stay missing</label>
      <input id="reason" name="reason" type="text" maxLength={256} />
      <div class="actions">
        <Button submits isBusy={isBusy}>
          Leave them missing
        </Button>
      </div>
    </form>
  );
}
