import { targetKey } from '../../../core/export/targets/target-item.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { itemBytes } from './units.ts';

const now = Date.UTC(2026, 0, 15, 12, 30, 15, 250);
const uuid = '0199c0de-0001-7000-8000-000000000001';

/** A target with usual counts, whose events once waited in both lanes. */
const position = '1'.padStart(39, '0');
const lanePositions = { '0/2': position, '1/2': position };
const target: Target = {
  tenantId: uuid,
  category: 'public',
  destination: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/example-events-production',
    roleArn: 'arn:aws:iam::000000000000:role/example-events-production-writer',
    externalId: uuid,
    lanes: 2,
  },
  state: 'active',
  stateSince: now,
  verifiedAt: now,
  acceptedCount: 1_234_567,
  deliveredCount: 1_234_567,
  parkedCount: 0,
  parkedThrough: lanePositions,
  drainedThrough: lanePositions,
  waitingSince: {},
};

export const targetBytes = itemBytes({ ...targetKey(target), ...target });
