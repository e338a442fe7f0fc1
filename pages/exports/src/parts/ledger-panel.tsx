import { Button } from '#ui/buttons.tsx';
import { Problem, Working } from '#ui/states.tsx';
import type { Export, LedgerHour } from '../api/shapes.ts';
import { type Span, spans } from '../state/state.ts';
import { mostOf, newestFirst, totalOf, typesOf } from '../text/ledger-rows.ts';
import { hourMs } from '../text/range.ts';
import { countText, eventsText, hourText } from '#ui/times.ts';
import type { View } from '../view.ts';
import { focusReplay } from './focus-replay.ts';
import { LedgerChart } from './ledger-chart.tsx';
import { Scrolling } from './scrolling.tsx';

const spanNames: Record<Span, string> = { 24: '24 hours', 72: '3 days', 336: '14 days' };

/** How many events the service accepted in each hour: as bars, and as a table. */
export function LedgerPanel({ view, one: { category } }: { view: View; one: Export }) {
  const { state, actions } = view;
  const { ledger } = state.panels[category];
  const { hours, chosen } = ledger;
  const found = hours?.find(({ hour }) => hour === chosen);
  return (
    <section class="card" aria-labelledby="ledger-title">
      <h2 id="ledger-title">Ledger</h2>
      <p>
        All events that the service accepted, by hour and whatever the filter. A digest is the sum of the
        SHA-256 of the event ids, so that you can tell whether your copy is complete.
      </p>
      <div class="actions" role="group" aria-label="Time to show">
        {spans.map((span) => (
          <Button
            key={span}
            isPressed={ledger.span === span}
            onClick={() => actions.chooseSpan(category, span)}
          >
            {spanNames[span]}
          </Button>
        ))}
        <Button kind="quiet" isBusy={ledger.isLoading} onClick={() => void actions.loadLedger(category)}>
          Refresh
        </Button>
      </div>
      {ledger.problem !== undefined && <Problem>{ledger.problem}</Problem>}
      {!hours && ledger.isLoading && <Working>Adding up …</Working>}
      {hours && (
        <>
          <p>
            <strong>{eventsText(totalOf(hours))}</strong> in {countText(hours.length)} hours.
          </p>
          <LedgerChart hours={hours} chosen={chosen} choose={(hour) => actions.chooseHour(category, hour)} />
          <Scrolling label="Ledger by hour">
            <HourTable hours={hours} choose={(hour) => actions.chooseHour(category, hour)} chosen={chosen} />
          </Scrolling>
        </>
      )}
      {found && (
        <Hour
          view={view}
          hour={found}
          replay={
            state.session?.canAct
              ? () => {
                  actions.chooseReplayOf(category, {
                    from: found.hour,
                    to: new Date(Date.parse(found.hour) + hourMs).toISOString(),
                  });
                  focusReplay(category);
                }
              : undefined
          }
        />
      )}
    </section>
  );
}

type TableProps = {
  hours: readonly LedgerHour[];
  chosen: string | undefined;
  choose: (hour: string) => void;
};

function HourTable({ hours, chosen, choose }: TableProps) {
  const most = mostOf(hours);
  return (
    <table class="ledger">
      <caption class="hidden">Accepted events by hour, the newest first. Times are in UTC.</caption>
      <thead>
        <tr>
          <th scope="col">Hour (UTC)</th>
          <th scope="col" class="number">
            Events
          </th>
          <th scope="col" class="bar-cell" aria-hidden="true" />
          <th scope="col">Hour is</th>
          <th scope="col">Digest</th>
        </tr>
      </thead>
      <tbody>
        {newestFirst(hours).map(({ hour, count, digest, final }) => (
          <tr key={hour} class={hour === chosen ? 'chosen' : undefined}>
            <th scope="row">
              <button
                type="button"
                class="row-button"
                aria-pressed={hour === chosen ? 'true' : 'false'}
                onClick={() => choose(hour)}
              >
                <time dateTime={hour}>{hourText(hour)}</time>
              </button>
            </th>
            <td class="number">{countText(count)}</td>
            <td class="bar-cell" aria-hidden="true">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" class={final ? 'bar' : 'bar open'}>
                <rect width={most === 0 ? 0 : (100 * count) / most} height="10" />
              </svg>
            </td>
            <td>{final ? 'final' : 'open'}</td>
            <td>
              <code title={digest}>{digest.slice(0, 12)}…</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type HourProps = { view: View; hour: LedgerHour; replay: (() => void) | undefined };

/** The types of the chosen hour. */
function Hour({ view: { state, actions }, hour, replay }: HourProps) {
  const what = `digest of ${hour.hour}`;
  return (
    <div class="stack close part" role="group" aria-labelledby="hour-title">
      <h3 id="hour-title">{hourText(hour.hour)} UTC</h3>
      <p>
        {eventsText(hour.count)}. {hour.final ? 'No event will be added.' : 'Events may still be added.'}
      </p>
      {hour.count > 0 && (
        <Scrolling label="Types of the hour">
          <table>
            <caption class="hidden">Accepted events of the hour by type</caption>
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col" class="number">
                  Events
                </th>
                <th scope="col">Digest</th>
              </tr>
            </thead>
            <tbody>
              {typesOf([hour]).map((type) => (
                <tr key={type}>
                  <th scope="row">{type}</th>
                  <td class="number">{countText(hour.types[type]?.count ?? 0)}</td>
                  <td>
                    <code>{hour.types[type]?.digest}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      <div class="actions">
        <Button onClick={() => void actions.copy(what, hour.digest)}>
          {state.copied === what ? 'Copied' : 'Copy the digest'}
        </Button>
        {replay && hour.count > 0 && <Button onClick={replay}>Choose this hour for a replay</Button>}
      </div>
    </div>
  );
}
