import { Chip, Notice } from '#ui/states.tsx';
import type { Export } from '../api/shapes.ts';
import { agoText, countText, timeText } from '#ui/times.ts';
import { actorLabels, destinationParts, kindText, labelOf } from '../text/labels.ts';
import type { View } from '../view.ts';
import { GivenUp } from './given-up.tsx';

/** Some reasons end with it. */
const isSaid = (who: keyof typeof actorLabels, reason: string): boolean =>
  who === 'nobody' && reason.includes(actorLabels.nobody);

/** What a state usually means is left out where the reason says it, and where it does not pass by itself although its state mostly does. */
const isTrue = (meaning: string, { state, reason, action }: Export): boolean =>
  meaning !== '' && reason !== meaning && (state !== 'degraded' || action?.who === 'nobody');

/** State, reason, who must act, and the counts. */
export function Status({ view, one }: { view: View; one: Export }) {
  const { state } = view;
  const { label, tone, meaning } = labelOf(one.state);
  return (
    <section class="card" aria-labelledby="status-title">
      <h2 id="status-title" class="hidden">
        State
      </h2>
      <p class="cluster">
        <Chip tone={tone}>{label}</Chip>
        <span class="muted">
          since <time dateTime={one.since}>{timeText(one.since)}</time> ({agoText(one.since, state.now)})
        </span>
      </p>
      <p>{one.reason}</p>
      {isTrue(meaning, one) && <p class="muted small">{meaning}</p>}
      {one.action && !isSaid(one.action.who, one.reason) && (
        <Notice tone={one.action.who === 'tenant' ? 'warn' : 'info'}>
          <p>
            <strong>{actorLabels[one.action.who]}.</strong> {one.action.who !== 'nobody' && one.action.what}
          </p>
        </Notice>
      )}
      {one.warning !== undefined && (
        <Notice tone="warn">
          <p>{one.warning}</p>
        </Notice>
      )}
      {one.givenUp && <GivenUp view={view} category={one.category} givenUp={one.givenUp} />}
      <Counts one={one} now={state.now} />
      <Destination one={one} />
    </section>
  );
}

const countNames = { accepted: 'Accepted', delivered: 'Delivered', waiting: 'Waiting' } as const;

function Counts({ one, now }: { one: Export; now: number }) {
  const { oldestWaitingAt } = one;
  return (
    <dl class="grid counts">
      {(['accepted', 'delivered', 'waiting'] as const).map((name) => (
        <div key={name} class="well">
          <dt>{countNames[name]}</dt>
          <dd>
            {countText(one[name])}
            {name === 'delivered' && one.inBucket !== undefined && (
              <span class="detail">{countText(one.inBucket)} of them in the bucket</span>
            )}
            {name === 'waiting' && oldestWaitingAt && (
              <span class="detail">the oldest came {agoText(oldestWaitingAt, now)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const Destination = ({ one: { destination, types } }: { one: Export }) => (
  <dl class="lines pairs">
    <div>
      <dt>Destination</dt>
      <dd>{kindText(destination)}</dd>
    </div>
    {destinationParts(destination).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd class="value">{value}</dd>
      </div>
    ))}
    <div>
      <dt>Types</dt>
      <dd>{types && types.length > 0 ? types.join(', ') : 'all'}</dd>
    </div>
  </dl>
);
