import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import type { Lines } from './lines.ts';
import { type Round, type Way, ways } from './rounds.ts';

export type Figures = {
  lines: Record<'hand' | 'packages', Lines>;
  /** Compressed, by the name of what is measured. */
  bytes: Record<string, number>;
  rounds: readonly Round[];
  /** When it was measured. */
  at: Date;
  /** Programs that wanted a core then, on average over a minute: more than there are cores make all times longer. */
  load: number;
};

const labels: Record<Way, string> = {
  hand: 'by hand, in a page',
  packages: 'routes and elements, in a page',
  call: '`omi.confirm`, without a page',
};

function linesTable({ hand, packages }: Figures['lines']): string {
  const row = (lines: string, part: keyof Lines) => ({
    'lines of code that a website has': lines,
    'by hand': String(hand[part]),
    'with the packages': String(packages[part]),
  });
  return formatTable([
    row('all: server and page', 'all'),
    row('of them check what the device signed', 'evidence'),
    row('of them tie the confirmation to the session and the action, once', 'binding'),
  ]);
}

const bytesTable = (bytes: Figures['bytes']): string =>
  formatTable(
    Object.entries(bytes).map(([what, size]) => ({ 'minified, gzip': what, bytes: formatNumber(size) })),
  );

const milliseconds = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} / ${percentile(values, 0.9).toFixed(0)}`;

function timesTable(rounds: readonly Round[]): string {
  return formatTable(
    ways.map((way) => {
      const mine = rounds.filter((round) => round.way === way);
      return {
        'ms, median / 90th percentile': labels[way],
        'from the click to "check your phone"': milliseconds(mine.map(({ asked }) => asked)),
        'from the tap to the result': milliseconds(mine.map(({ answered }) => answered)),
      };
    }),
  );
}

/** What a call of the service is for. */
const kinds = {
  'send the push': /^POST \/omi\/push\//,
  poll: /^GET \/omi\/push\/confirmation/,
  'list devices': /^GET \/omi\/users\//,
};

function callsTable(rounds: readonly Round[]): string {
  const mean = (values: readonly number[]): string =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
  return formatTable(
    ways.map((way) => {
      const mine = rounds.filter((round) => round.way === way);
      const counts = Object.entries(kinds).map(([kind, pattern]) => [
        kind,
        mean(mine.map(({ serviceCalls }) => serviceCalls.filter((call) => pattern.test(call)).length)),
      ]);
      return {
        'calls of a confirmation, mean': labels[way],
        ...(Object.fromEntries(counts) as Record<string, string>),
        'page to website': mean(mine.map(({ pageCalls }) => pageCalls)),
      };
    }),
  );
}

const method = (
  count: number,
): string => `The local stack, both websites and Chromium run on this machine. The three ways take turns, with ${count} users each. Each user thinks for 1 to 3 seconds, at random. By hand is
the shop of [For website developers, by hand](websites-by-hand.md) with its page, which polls every second. The packages are those of [the ten minutes](step-up-in-ten-minutes.md). The result is there when
the page shows that it is paid: the evidence is verified, and the confirmation is used.`;

const polling = `Between the tap and the result lies mostly the wait for the next poll: half of the \`interval\` of one second at the median. The packages keep to the \`interval\`, and add up to a tenth of jitter, so
they are not faster than a loop by hand. A shorter interval would cost more calls and processor time for each confirmation. The service asks for one second at first, and for two after half a minute.`;

const lines = `Lines that are neither empty nor comments. By hand has neither a choice of the device, nor a countdown, nor an enrolment, nor other languages; the elements have them. The tests hold the examples to
what they promise.`;

/** Markdown for the terminal and for docs/performance.md. */
export function render({ lines: counted, bytes, rounds, at, load }: Figures): string {
  return [
    `${describeMachine()}. ${at.toISOString().slice(0, 10)}. Load average ${formatNumber(load)}.`,
    lines,
    linesTable(counted),
    bytesTable(bytes),
    method(rounds.length / ways.length),
    timesTable(rounds),
    polling,
    callsTable(rounds),
    'An access token serves all confirmations of an hour, so it is not counted.',
  ].join('\n\n');
}
