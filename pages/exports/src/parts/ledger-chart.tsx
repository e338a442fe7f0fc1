import type { LedgerHour } from '../api/shapes.ts';
import { barHeight } from '../text/bar-height.ts';
import { mostOf } from '../text/ledger-rows.ts';
import { countText, hourText } from '#ui/times.ts';

const barWidth = 10;
const chartHeight = 100;

type ChartProps = {
  hours: readonly LedgerHour[];
  chosen: string | undefined;
  choose: (hour: string) => void;
};

/** The table below says the same, so this is for the eye and the pointer alone. */
export function LedgerChart({ hours, chosen, choose }: ChartProps) {
  const most = mostOf(hours);
  const [first] = hours;
  const last = hours.at(-1);
  return (
    <div class="chart" aria-hidden="true">
      <p class="axis">{countText(most)}</p>
      <svg viewBox={`0 0 ${Math.max(1, hours.length) * barWidth} ${chartHeight}`} preserveAspectRatio="none">
        {hours.map((one, index) => (
          <Bar
            key={one.hour}
            one={one}
            x={index * barWidth}
            height={barHeight(one.count, most)}
            isChosen={one.hour === chosen}
            choose={choose}
          />
        ))}
      </svg>
      <p class="axis">
        <span>{first && hourText(first.hour)}</span>
        <span>{last && hourText(last.hour)}</span>
      </p>
    </div>
  );
}

type BarProps = {
  one: LedgerHour;
  x: number;
  height: number;
  isChosen: boolean;
  choose: (hour: string) => void;
};

const Bar = ({ one: { hour, count, final }, x, height, isChosen, choose }: BarProps) => (
  <g
    class={['column', ...(isChosen ? ['chosen'] : []), ...(final ? [] : ['open'])].join(' ')}
    onClick={() => choose(hour)}
  >
    <title>{`${hourText(hour)} UTC: ${countText(count)}`}</title>
    <rect class="space" x={x} y="0" width={barWidth} height={chartHeight} />
    <rect class="amount" x={x + 1} y={chartHeight - height} width={barWidth - 2} height={height} />
  </g>
);
