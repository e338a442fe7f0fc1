import { Button } from '#ui/buttons.tsx';
import { Chip, Title, Working } from '#ui/states.tsx';
import { agoText, eventsText, timeText } from '#ui/times.ts';
import { type Export, exportStates } from '../api/shapes.ts';
import { Confirm } from '../parts/confirm.tsx';
import { keyOf } from '../state/state.ts';
import { tenantTitle } from '../text/tenant-title.ts';
import { categoryNames, exportLabels } from '../text/labels.ts';
import type { View } from '../view.ts';

/** For operators: the exports of all tenants, by their state. */
export function Exports({ view }: { view: View }) {
  const { state, actions } = view;
  const { exports } = state;
  return (
    <div class="stack">
      <Title>Exports of all tenants</Title>
      <div class="actions" role="group" aria-label="Only in this state">
        {(['all', ...exportStates] as const).map((one) => (
          <Button
            key={one}
            isPressed={state.exportState === one}
            onClick={() => void actions.listExports(one)}
          >
            {one === 'all' ? 'All' : exportLabels[one].label}
          </Button>
        ))}
      </div>
      {exports === undefined && <Working>Looking …</Working>}
      {exports?.length === 0 && <p>No export is in this state.</p>}
      {exports?.map((one) => (
        <OneExport key={keyOf(one)} view={view} one={one} />
      ))}
    </div>
  );
}

function OneExport({ view, one }: { view: View; one: Export }) {
  const { state } = view;
  const key = keyOf(one);
  const { label, tone } = exportLabels[one.state];
  const title = `${tenantTitle(state.session?.tenants ?? [], one.tenantId)}, ${categoryNames[one.category]}`;
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="cluster">
        <Chip tone={tone}>{label}</Chip>
        <span class="muted">
          {one.destination.kind}, since {timeText(one.since)}; {eventsText(one.waiting)} waiting
        </span>
      </p>
      <p>{one.reason}</p>
      {one.action && one.action.who !== 'nobody' && (
        <p>
          <strong>{one.action.who === 'tenant' ? 'The tenant must act.' : 'You must act.'}</strong>{' '}
          {one.action.what}
        </p>
      )}
      {one.lastTest && (
        <p class="muted small">
          Last test: {one.lastTest.outcome}, asked for {agoText(one.lastTest.requestedAt, state.now)}.
        </p>
      )}
      <Steering view={view} one={one} title={title} />
      {state.replays
        .filter((replay) => replay.key === key)
        .map((replay) => (
          <p key={replay.replayId} class="muted small">
            Replay of {timeText(replay.from)} to {timeText(replay.to)} has begun.
          </p>
        ))}
    </section>
  );
}

function Steering({ view, one, title }: { view: View; one: Export; title: string }) {
  const { state, actions } = view;
  const key = keyOf(one);
  if (state.question?.what === 'pause' && state.question.key === key)
    return (
      <Confirm
        view={view}
        question={`Pause ${title}? Its events wait, for 14 days at most, and the tenant cannot resume it.`}
        yes="Pause the export"
        onYes={() => void actions.steer(one, 'pause')}
      />
    );
  return (
    <div class="actions">
      <Button label={`Test ${title}`} onClick={() => void actions.test(one)}>
        Test
      </Button>
      {one.state === 'paused' ? (
        <Button label={`Resume ${title}`} onClick={() => void actions.steer(one, 'resume')}>
          Resume
        </Button>
      ) : (
        <Button label={`Pause ${title}`} onClick={() => actions.ask({ what: 'pause', key })}>
          Pause …
        </Button>
      )}
      <Button label={`Replay the last 24 hours of ${title}`} onClick={() => void actions.replay(one, 24)}>
        Replay 24 hours
      </Button>
    </div>
  );
}
