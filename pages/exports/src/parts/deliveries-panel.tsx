import { Button } from '#ui/buttons.tsx';
import { Chip, Problem, Working } from '#ui/states.tsx';
import type { Category, Delivery, Export } from '../api/shapes.ts';
import { agoText, countText, eventsText, timeText } from '#ui/times.ts';
import type { View } from '../view.ts';
import { focusReplay } from './focus-replay.ts';
import { Scrolling } from './scrolling.tsx';

/** The last attempts to deliver events. */
export function DeliveriesPanel({ view, one: { category } }: { view: View; one: Export }) {
  const { state, actions } = view;
  const { list, cursor, isLoading, problem } = state.panels[category].deliveries;
  return (
    <section class="card" aria-labelledby={`deliveries-${category}`}>
      <h2 id={`deliveries-${category}`}>Deliveries</h2>
      <p>
        The last attempts to deliver events, for 3 days: one failure a second and lane at most, and one
        success a minute.
      </p>
      <div class="actions">
        <Button isBusy={isLoading} onClick={() => void actions.loadDeliveries(category)}>
          {list ? 'Refresh' : 'Show the deliveries'}
        </Button>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {!list && isLoading && <Working>Asking the service …</Working>}
      {list?.length === 0 && <p>There was no attempt in the last 3 days.</p>}
      {list && list.length > 0 && (
        <Scrolling label="The last attempts">
          <Attempts list={list} view={view} category={category} />
        </Scrolling>
      )}
      {list && cursor !== undefined && (
        <div class="actions">
          <Button isBusy={isLoading} onClick={() => void actions.loadDeliveries(category, true)}>
            Show older ones
          </Button>
        </div>
      )}
    </section>
  );
}

type AttemptsProps = { list: readonly Delivery[]; view: View; category: Category };

const Attempts = ({ list, ...shown }: AttemptsProps) => (
  <table>
    <caption class="hidden">Attempts to deliver events, the newest first</caption>
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Outcome</th>
        <th scope="col" class="number">
          Took
        </th>
        <th scope="col" class="number">
          Events
        </th>
        <th scope="col">What was answered</th>
      </tr>
    </thead>
    <tbody>
      {list.map((delivery, index) => (
        <Attempt key={`${delivery.at} ${index}`} delivery={delivery} {...shown} />
      ))}
    </tbody>
  </table>
);

const outcomes = {
  delivered: { label: 'Delivered', tone: 'good' },
  partly: { label: 'In part', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
} as const;

type AttemptProps = { delivery: Delivery; view: View; category: Category };

function Attempt({ delivery, view: { state, actions }, category }: AttemptProps) {
  const { at, outcome, ms, events, error, answer } = delivery;
  const { label, tone } = outcomes[outcome];
  return (
    <tr>
      <th scope="row">
        <time dateTime={at} title={timeText(at)}>
          {agoText(at, state.now)}
        </time>
      </th>
      <td>
        <Chip tone={tone}>{label}</Chip>
      </td>
      <td class="number">{countText(ms)} ms</td>
      <td class="number">{countText(events.count)}</td>
      <td>
        {error}
        {answer !== undefined && answer !== '' && <pre class="answer">{answer}</pre>}
        <details>
          <summary>{eventsText(events.ids.length)} by id</summary>
          <ul class="ids">
            {events.ids.map((id) => (
              <li key={id}>
                <code>{id}</code>
                {state.session?.canAct && (
                  <Button
                    kind="quiet"
                    onClick={() => {
                      void actions.replayEvent(category, id);
                      focusReplay(category);
                    }}
                  >
                    Send again
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      </td>
    </tr>
  );
}
