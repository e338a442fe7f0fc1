import { setTimeout } from 'node:timers/promises';

export type SinkRecord = { partitionKey: string; data: Uint8Array };

/** One call, with true for each accepted record. A call that is rejected as a whole throws. */
export type Sink = (target: string, records: readonly SinkRecord[]) => Promise<boolean[]>;

/** Accepts everything and needs no time. */
export const nullSink: Sink = async (_, records) => await Promise.resolve(records.map(() => true));

export type Tally = { requests: number; records: number; units1: number; units5: number };

const kibibyte = 1024;

/** Counts calls and billed units: 1 KB (Kinesis on-demand) and 5 KB (Firehose), rounded up. */
export function countingSink(): { sink: Sink; tally: Tally } {
  const tally: Tally = { requests: 0, records: 0, units1: 0, units5: 0 };
  const sink: Sink = async (_, records) => {
    tally.requests += 1;
    tally.records += records.length;
    for (const { data } of records) {
      tally.units1 += Math.ceil(data.length / kibibyte);
      tally.units5 += Math.ceil(data.length / (5 * kibibyte));
    }
    return await nullSink(_, records);
  };
  return { sink, tally };
}

/** Rejects 1 % of the records and 1 % of the calls, and keeps the arrivals in order. */
export function troubledSink(random: () => number): { sink: Sink; arrivals: Uint8Array[] } {
  const arrivals: Uint8Array[] = [];
  const sink: Sink = async (_, records) => {
    if (random() < 0.01) throw new Error('refused');
    return await Promise.resolve(
      records.map(({ data }) => {
        const isTaken = random() >= 0.01;
        if (isTaken) arrivals.push(data);
        return isTaken;
      }),
    );
  };
  return { sink, arrivals };
}

const roundTripMs = 5;
const bytesPerMs = 50_000;

/** Needs about the time of a service in the same region. */
export function slowSink(taken: (at: number, records: readonly SinkRecord[]) => void): Sink {
  return async (target, records) => {
    const bytes = records.reduce((sum, { data }) => sum + data.length, 0);
    await setTimeout(roundTripMs + bytes / bytesPerMs);
    taken(performance.now(), records);
    return await nullSink(target, records);
  };
}
