import * as v from 'valibot';
import { describeTarget } from '../../core/events/target-ref.ts';
import { exportView } from '../../core/export/targets/export-view.ts';
import { target as schema, type Target } from '../../core/export/targets/target.ts';
import { streamFault } from '../../core/export/delivery/delivery-faults.ts';
import { policyToPaste } from '../../core/export/verification/policy-to-paste.ts';

const now = Date.parse('2026-03-02T10:15:00.000Z');
const tenantId = '0199c0de-0000-7000-8000-000000000001';
const operator = { stage: 'production', account: '111122223333', partition: 'aws' };

const nothingWaits = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };

const stream: Target = v.parse(schema, {
  ...nothingWaits,
  tenantId,
  category: 'public',
  destination: {
    kind: 'stream',
    streamArn: 'arn:aws:kinesis:eu-central-1:444455556666:stream/omi-events',
    roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
    externalId: '6f1ed002ab5595859014ebf0951522d9',
    lanes: 2,
  },
  state: 'active',
  stateSince: now - 86_400_000,
  verifiedAt: now - 7_200_000,
  acceptedCount: 120_034,
  deliveredCount: 120_034,
});

const parked: Target = {
  ...stream,
  state: 'parked',
  stateSince: now - 90_000,
  fault: streamFault('AccessDeniedException'),
  deliveredCount: 119_822,
  parkedCount: 212,
  parkedThrough: { '0/2': '00000000000000000002' },
  drainedThrough: { '0/2': '00000000000000000001' },
  waitingSince: { '0/2': now - 90_000 },
};

const bucket: Target = v.parse(schema, {
  ...nothingWaits,
  tenantId,
  category: 'log',
  destination: {
    kind: 'bucket',
    bucket: 'omi-events-of-example',
    kmsKeyArn: 'arn:aws:kms:eu-central-1:444455556666:key/1d4bf2a0-57c3-4e96-8b1f-c0a3d9e6f275',
    deliveryRoleArn: `arn:aws:iam::111122223333:role/omi/production/delivery/omi-production-delivery-${tenantId}`,
    deliveryStreamName: `omi-production-${describeTarget({ tenantId, category: 'log' }).replace('#', '-')}`,
  },
  types: ['UserLoginFailedEvent'],
  state: 'active',
  stateSince: now - 86_400_000,
  acceptedCount: 5_120,
  deliveredCount: 5_120,
});

const viewOf = (target: Target) => exportView(target, now, policyToPaste(target, operator));

export const exampleExports = {
  listed: { exports: [viewOf(stream), viewOf(bucket)] },
  refused: { exports: [viewOf(parked)] },
};
