import { Chip, Notice, Title, Working } from '#ui/states.tsx';
import type { Export } from '../api/shapes.ts';
import { Scrolling } from '../parts/scrolling.tsx';
import { hashOf } from '../state/state.ts';
import { agoText, countText, timeText } from '#ui/times.ts';
import { actorLabels, categoryNames, destinationName, kindText, labelOf } from '../text/labels.ts';
import type { View } from '../view.ts';

const counts = ['Accepted', 'Delivered', 'Waiting'] as const;

/** All exports in a table. On a phone each row is a list, whose entries have the names of the columns. */
export function Overview({ view: { state } }: { view: View }) {
  const { exports, now } = state;
  return (
    <div class="stack">
      <Title>Your exports</Title>
      {exports === undefined ? (
        state.problem === undefined && <Working>Asking the service …</Working>
      ) : exports.length === 0 ? (
        <Notice tone="info">
          <p>Your tenant has no export yet. The operator of the service sets up where your events go.</p>
        </Notice>
      ) : (
        <Scrolling label="Exports">
          <table class="stacks">
            <caption class="hidden">Exports, with their states and counts</caption>
            <thead>
              <tr>
                {['Events', 'State', 'Since', 'Destination'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                {counts.map((name) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {exports.map((one) => (
                <Row key={one.category} one={one} now={now} />
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </div>
  );
}

function Row({ one, now }: { one: Export; now: number }) {
  const { category, state, since, destination, accepted, delivered, waiting, action } = one;
  const { label, tone } = labelOf(state);
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={hashOf({ screen: 'export', category })}>
          {categoryNames[category]}
        </a>
      </th>
      <td data-label="State">
        <Chip tone={tone}>{label}</Chip>
        {action && action.who !== 'nobody' && <span class="actor">{actorLabels[action.who]}</span>}
      </td>
      <td data-label="Since">
        <time dateTime={since} title={timeText(since)}>
          {agoText(since, now)}
        </time>
      </td>
      <td data-label="Destination">
        {kindText(destination)}
        <span class="detail">{destinationName(destination)}</span>
      </td>
      {[accepted, delivered, waiting].map((count, index) => (
        <td key={index} class="number" data-label={counts[index]}>
          {countText(count)}
        </td>
      ))}
    </tr>
  );
}
