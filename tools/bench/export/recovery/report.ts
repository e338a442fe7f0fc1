import { formatNumber, formatTable } from '../../report/markdown.ts';
import { measureRecovery } from './measure.ts';

export type RecoverySize = { rates: readonly number[]; stallMs: number; longestMs: number };

/** Up to the capacity of two shards: 2 MB/s. */
export const fullRecovery: RecoverySize = {
  rates: [100, 400, 800, 1_600, 2_400, 3_000, 3_300, 3_600],
  stallMs: 5_000,
  longestMs: 30_000,
};
export const quickRecovery: RecoverySize = { rates: [400], stallMs: 4_000, longestMs: 20_000 };

/** Measures one rate after the other, so that each has the whole machine. */
export async function recoveryTable({ rates, stallMs, longestMs }: RecoverySize): Promise<string> {
  const never = `more than ${longestMs / 1_000}`;
  const rows: Record<string, string>[] = [];
  for (const rate of rates) {
    const { seconds, inversions } = await measureRecovery({ rate, stallMs, longestMs });
    rows.push({
      'events/s': formatNumber(rate),
      'seconds until active': seconds?.toFixed(1) ?? never,
      inversions: String(inversions),
    });
  }
  return formatTable(rows);
}

export const recoveryLegend = `A stream of two shards, with a lane for each, accepts nothing for a while, and new events keep arriving. The table shows how long
after that the target is active again. The service's own exporter and redelivery run with DynamoDB, SQS and Kinesis in memory: a read takes 5 ms, a write 8,
a send 12, a receive 20, a put 20, and a shard accepts 1 MB/s. The events table's stream has a shard for each 500 events per second.`;
