import { Button } from '#ui/buttons.tsx';
import { Chip, Notice, Problem } from '#ui/states.tsx';
import type { Category, Export, Replay } from '../api/shapes.ts';
import { typesOf } from '../text/ledger-rows.ts';
import { fieldOf, hourMs, keptMs, progressOf } from '../text/range.ts';
import { eventsText, timeText } from '#ui/times.ts';
import { isOrdered, replayLabels } from '../text/labels.ts';
import type { View } from '../view.ts';

const quick = [
  ['Last hour', hourMs],
  ['Last 24 hours', 24 * hourMs],
  // A minute less, which has not passed yet when the service looks at it.
  ['All 14 days', keptMs - 60_000],
] as const;

/** Sends earlier events again, chosen by the time of their acceptance. */
export function ReplayPanel({ view, one }: { view: View; one: Export }) {
  const { state, actions } = view;
  const { category } = one;
  const { replays, replayForm: form } = state.panels[category];
  return (
    <section class="card" aria-labelledby="replay-title" id="replay">
      <h2 id="replay-title">Replay</h2>
      <p>
        The events that were accepted in a range of time are sent again, with the same ids
        {isOrdered(one.destination) ? ' and in order' : ', in no order'}. Readers that remember ids drop those
        that they know.
      </p>
      {state.session?.canAct ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!form.isSending) void actions.startReplay(category);
          }}
        >
          <div class="grid">
            <TimeField view={view} category={category} name="from" label="From (UTC)" />
            <TimeField view={view} category={category} name="to" label="To (UTC), empty for now" />
          </div>
          <div class="actions" role="group" aria-label="Common ranges">
            {quick.map(([label, length]) => (
              <Button
                key={label}
                kind="quiet"
                onClick={() => actions.editReplay(category, { from: fieldOf(state.now - length), to: '' })}
              >
                {label}
              </Button>
            ))}
          </div>
          <Types view={view} one={one} />
          <EventIds view={view} category={category} />
          {form.problem && <Problem id={`replay-problem-${category}`}>{form.problem.text}</Problem>}
          <div class="actions">
            <Button kind="primary" submits isBusy={form.isSending}>
              Start the replay
            </Button>
          </div>
        </form>
      ) : (
        <Notice tone="info">
          <p>
            Your token only allows reading. To test, pause or replay, paste one with the scope{' '}
            <code>omi:exports:post</code>, too.
          </p>
        </Notice>
      )}
      {replays.length > 0 && <h3>Replays of this window</h3>}
      {replays.map((replay) => (
        <Progress key={replay.replayId} replay={replay} />
      ))}
    </section>
  );
}

type TimeFieldProps = { view: View; category: Category; name: 'from' | 'to'; label: string };

function TimeField({ view: { state, actions }, category, name, label }: TimeFieldProps) {
  const { replayForm: form } = state.panels[category];
  const id = `replay-${name}-${category}`;
  const isWrong = form.problem?.field === name;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        step={60}
        min={fieldOf(state.now - keptMs)}
        max={fieldOf(state.now)}
        value={form[name]}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? `replay-problem-${category}` : undefined}
        onInput={({ currentTarget }) => actions.editReplay(category, { [name]: currentTarget.value })}
      />
    </div>
  );
}

function EventIds({ view: { state, actions }, category }: { view: View; category: Category }) {
  const id = `replay-ids-${category}`;
  return (
    <div class="field">
      <label for={id}>Only these event ids (empty: all)</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={state.panels[category].replayForm.eventIds}
        onInput={({ currentTarget }) => actions.editReplay(category, { eventIds: currentTarget.value })}
      />
    </div>
  );
}

/** The types that the ledger shows. Without any chosen, all are sent. */
function Types({ view: { state, actions }, one }: { view: View; one: Export }) {
  const { ledger, replayForm: form } = state.panels[one.category];
  const wanted = one.types && one.types.length > 0 ? one.types : undefined;
  const known = typesOf(ledger.hours ?? []).filter((type) => wanted?.includes(type) ?? true);
  const types = [...new Set([...known, ...form.types])].toSorted();
  if (types.length === 0) return null;
  const choose = (type: string, isChosen: boolean): void =>
    actions.editReplay(one.category, {
      types: isChosen ? [...form.types, type] : form.types.filter((other) => other !== type),
    });
  return (
    <fieldset class="grid">
      <legend>Only these types (none chosen: all)</legend>
      {types.map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={form.types.includes(type)}
            onChange={({ currentTarget }) => choose(type, currentTarget.checked)}
          />
          {type}
        </label>
      ))}
    </fieldset>
  );
}

function Progress({ replay }: { replay: Replay }) {
  const { label, tone } = replayLabels[replay.state];
  const share = Math.round(progressOf(replay) * 100);
  const range = `${timeText(replay.from)} to ${timeText(replay.to)}`;
  return (
    <div class="stack tight part">
      <p class="cluster">
        <Chip tone={tone}>{label}</Chip>
        <span>{range}</span>
      </p>
      <progress max={100} value={share} aria-label={`Progress of the replay of ${range}`}>
        {share} %
      </progress>
      <p class="muted small">
        {eventsText(replay.eventsSent)} sent, {share} % of the range
        {replay.state === 'running' &&
          replay.eventsSent === 0 &&
          '; a replay up to now begins after half a minute'}
        {replay.types && replay.types.length > 0 && `, only ${replay.types.join(', ')}`}
        {replay.eventIds && `, of ${eventsText(replay.eventIds.length)} by id`}.
      </p>
      {replay.reason !== undefined && <p>{replay.reason}</p>}
    </div>
  );
}
