import { describeMachine, formatNumber, formatTable } from '../report/markdown.ts';
import { replayPace } from '../../../core/export/replays/replay-events.ts';
import type { Figures, LedgerFigures } from './measure.ts';
import type { ReplayFigures } from './replays.ts';

/** A replay may be slower than before by a quarter. */
const goal = 1.25;

export type Report = { figures: Figures; at: Date; load: number };

const megabytes = (bytes: number): string => formatNumber(bytes / 1e6);

const ledgerRow = ({ what, seconds, requests, cpu, calls, bytes, ownCpu }: LedgerFigures) => ({
  'the ledger, by the API': what,
  seconds: seconds.toFixed(2),
  requests: formatNumber(requests),
  'CPU s, service': cpu.toFixed(2),
  'CPU s, consumer': ownCpu.toFixed(2),
  'calls of DynamoDB': formatNumber(calls),
  'MB read': megabytes(bytes),
});

const labels: Record<string, string> = {
  before: 'whole items in the index, as before',
  now: 'keys in the index, then items',
};

const replayRow = ({ way, events, reading, whole, cpu }: ReplayFigures) => ({
  'a replay: read, pack, send': labels[way] ?? way,
  'events/s': formatNumber(events / whole),
  seconds: whole.toFixed(2),
  'of it reading': reading.toFixed(2),
  'CPU s': cpu.toFixed(2),
});

function verdict(replays: readonly ReplayFigures[]): string {
  const [before, now] = replays;
  if (!before || !now) return '';
  const asFast = now.whole / before.whole;
  const inService = (figures: ReplayFigures) => figures.whole + figures.portions * replayPace.next;
  const ratio = inService(now) / inService(before);
  return `Reading, packing and sending takes ${asFast.toFixed(2)} times as long as before. The service waits ${formatNumber(replayPace.next)} s or longer after each of the ${formatNumber(now.portions)} portions. With that, a replay takes ${ratio.toFixed(2)} times as long. The goal, at most ${goal.toFixed(2)}, is ${ratio <= goal ? 'met' : 'missed'}.`;
}

/** Markdown for the terminal and for docs/performance.md. */
export function render({ figures: { ledger, replays, filled, rss }, at, load }: Report): string {
  const size = replays[0]?.events ?? 0;
  return [
    `${describeMachine()}. ${at.toISOString().slice(0, 10)}. Load average ${formatNumber(load)}.`,
    `DynamoDB Local runs on this machine, too, and has ${formatNumber(filled.events)} stored events, which took ${formatNumber(filled.seconds)} s to write. The seconds include its work; the CPU seconds do not. ` +
      `A request that is answered with 503 is repeated at once, and counted. Memory afterwards: ${megabytes(rss.service)} MB of the service, ${megabytes(rss.consumer)} MB of the consumer, which also has the events' ids and types.`,
    formatTable(ledger.map(ledgerRow)),
    `Replays of ${formatNumber(size)} events in portions of 4 MB. The stream takes 5 ms for a call, and 50 MB/s. Medians of 5 rounds, in which both ways take turns.`,
    formatTable(replays.map(replayRow)),
    verdict(replays),
  ].join('\n\n');
}
