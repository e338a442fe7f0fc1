import { kinesisAgg } from './kinesis-agg.ts';
import { onePerRecord } from './one-per-record.ts';
import { ours } from './ours.ts';
import { streamsToFirehose } from './streams-to-firehose.ts';
import type { Strategy } from './strategy.ts';

export const strategies: readonly Strategy[] = [
  ours('stream'),
  ours('bucket'),
  onePerRecord,
  kinesisAgg,
  streamsToFirehose,
];
