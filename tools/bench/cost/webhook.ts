import { pack, packingOf, type PackedRecord } from '../../../core/export/delivery/packing.ts';
import { webhookHeaderBytes, handshakeBytes } from './answers.ts';
import type { Assumptions } from './assumptions.ts';
import type { Row } from './confirmation-tables.ts';
import { typicalEvents } from './events.ts';
import { logBytes } from './log-lines.ts';
import type { Region } from './prices.ts';
import { exportRequests } from './round-trips.ts';
import { invocation, perMillion, priceOf, sum, times, trips, type Usage } from './usage.ts';

/** The bodies of the calls for this number of a target's events. */
export const webhookCalls = (count: number): PackedRecord[] =>
  pack(typicalEvents(count), packingOf({ kind: 'webhook', url: '', lanes: 2 })).records;

/** Lanes are called beside each other, and each makes one call after the other: so many times the exporter waits. */
export const webhookWaits = (calls: readonly PackedRecord[]): number =>
  Math.max(...[...Map.groupBy(calls, ({ lane }) => lane).values()].map((its) => its.length));

/** For one event, if a batch has this number of a target's events and no other target is as slow. */
export function webhook(count: number, assumed: Assumptions): Usage {
  const calls = webhookCalls(count);
  const { durations, coldStarts } = assumed;
  const bytes = calls.reduce((total, { data }) => total + data.length + webhookHeaderBytes, 0);
  return times(
    1 / count,
    sum([
      invocation(durations.export + webhookWaits(calls) * durations.callback, assumed),
      trips(exportRequests.exportToWebhook, assumed),
      {
        // A connection is opened for each lane, and kept for its calls.
        transferBytes: bytes + Math.min(2, calls.length) * handshakeBytes,
        // A Lambda keeps the secrets that it opened.
        kmsRequests: coldStarts.share,
        logBytes: logBytes.application + logBytes.metric,
      },
    ]),
  );
}

/** USD per million events, by the number of a target's events in a batch. */
export const ofWebhooks = (assumed: Assumptions, regions: readonly Region[]): Row[] =>
  [1, 10, 100, 1_000].map((count) => ({
    'events of a target in a batch': count.toLocaleString('en-GB'),
    'calls for 1,000 events': ((webhookCalls(count).length / count) * 1_000).toFixed(0),
    ...Object.fromEntries(
      regions.map((region) => [region, perMillion(priceOf(webhook(count, assumed), region))]),
    ),
  }));
