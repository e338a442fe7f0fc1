import { type Language, languageNames, languages } from '../../app/src/i18n/texts.ts';
import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { median, percentile } from '../report/statistics.ts';
import type { Round } from './measure.ts';
import type { Sizes } from './sizes.ts';

export type Figures = {
  browser: string;
  rounds: readonly Round[];
  sizes: Sizes;
  /** When it was measured. */
  at: Date;
  /** Programs that wanted a core then, on average over a minute: more than there are cores make all times longer. */
  load: number;
};

/** `test/app/build.test.ts` holds the first load to it. */
const LARGEST_FIRST_LOAD = 60_000;

function firstLoadTable({ firstLoad, serviceWorker }: Sizes): string {
  const largest = Math.max(...Object.values(firstLoad));
  const row = (what: string, bytes: number) => ({ gzip: what, bytes: formatNumber(bytes) });
  const nameOf = (language: Language): string => `first load, ${languageNames[language]}`;
  return formatTable([
    ...languages.map((language) => row(nameOf(language), firstLoad[language])),
    row('**largest first load**', largest),
    row('goal, at most', LARGEST_FIRST_LOAD),
    row('service worker, loaded behind the first screen', serviceWorker),
  ]);
}

const labels: Record<keyof Round, string> = {
  firstVisit: 'first visit: from the navigation to the first contentful paint',
  laterVisit: 'later visit, with the service worker: the same',
  sent: 'from the website’s call until the push service has the push',
  notified: 'from the delivery of the push to the browser until the notification is shown',
  shown: 'from the opening of a request’s link until the request is shown',
  answerable: 'the same until a tap counts',
  confirmed: 'from the tap on "Confirm" until the result is shown',
};

function timesTable(rounds: readonly Round[]): string {
  const figures = Object.keys(labels) as (keyof Round)[];
  return formatTable(
    figures.map((figure) => {
      const values = rounds.map((round) => round[figure]);
      return {
        milliseconds: labels[figure],
        median: median(values).toFixed(0),
        '90th percentile': percentile(values, 0.9).toFixed(0),
      };
    }),
  );
}

const method = (
  count: number,
): string => `The local stack and the browser run on this machine, without a network between them; a phone adds its round trips and its slower processor. There are ${count} rounds, each with a
fresh browser profile, a new user and a new device. The push that arrives at the local push service is decrypted, and given to Chromium with its developer tools: the way through a browser vendor's service is
not measured. The app is closed then, and its service worker stopped. A notification is shown when Chromium says so, and \`getNotifications()\` has it.
The load average counts the benchmark itself. Far more than the cores means that other programs made all times longer.`;

const remarks = `A request takes no tap in its first half second, so that a tap meant for something else answers nothing. That is most of the time until a tap counts.

A later visit starts the service worker, and loads nothing from the network. Here that costs about as much as it saves, because the first visit has no network to wait for either. It is also what opens
the app offline.`;

const bundlesTable = ({ bundles }: Sizes): string =>
  formatTable(
    Object.entries(bundles).map(([lambda, bytes]) => ({
      'Lambdas that push, minified': lambda,
      bytes: formatNumber(bytes),
    })),
  );

/** Markdown for the terminal and for docs/performance.md. */
export function render({ browser, rounds, sizes, at, load }: Figures): string {
  return [
    `${describeMachine()}, ${browser} without a window. ${at.toISOString().slice(0, 10)}. Load average ${formatNumber(load)}.`,
    firstLoadTable(sizes),
    method(rounds.length),
    timesTable(rounds),
    remarks,
    bundlesTable(sizes),
    '[Round trips](architecture.md#round-trips) has the calls of AWS for a send, an answer, and the list of challenges.',
  ].join('\n\n');
}
