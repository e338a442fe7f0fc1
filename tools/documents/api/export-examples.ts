import * as v from 'valibot';
import { describeTarget } from '../../../core/events/target-ref.ts';
import { attemptView } from '../../../core/export/delivery/attempt-view.ts';
import { exportView } from '../../../core/export/targets/export-view.ts';
import { target as schema, type Target } from '../../../core/export/targets/target.ts';
import { streamFault } from '../../../core/export/kinds/stream/stream-faults.ts';
import { replayView } from '../../../core/export/replays/replay-by-tenant.ts';
import type { ReplayProgress } from '../../../core/export/replays/replay-store.ts';
import { policyToPaste } from '../../../core/export/kinds/policies/policy-to-paste.ts';

const now = Date.parse('2026-03-02T10:15:00.000Z');
const tenantId = '0199c0de-0000-7000-8000-000000000001';
const operator = { stage: 'production', region: 'eu-central-1', account: '111122223333', partition: 'aws' };

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
  lastTest: { id: 'a', requestedAt: now - 7_203_000, endedAt: now - 7_200_000, outcome: 'passed' },
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

export const exampleReplayId = '0c8f4b1e-6d27-4a93-b5e0-91d7c3f2a684';

const replay: ReplayProgress = {
  replayId: exampleReplayId,
  tenantId,
  category: 'public',
  from: now - 3 * 3_600_000,
  to: now - 3_600_000,
  types: ['UserSignedInEvent'],
  state: 'running',
  eventsSent: 0,
  steps: 0,
  cursorHour: '2026-03-02T07',
  position: '',
  updatedAt: now,
};

export const exampleExportRequests = {
  testEvent: { type: 'UserSignedInEvent' },
  proof: { proof: 'w8Xk2vQ9cT4mB7nL1pR6sD3fG5hJ0kZa' },
  replay: { from: replayView(replay).from, to: replayView(replay).to, types: ['UserSignedInEvent'] },
  replayOfOne: {
    from: replayView(replay).from,
    to: replayView(replay).to,
    eventIds: ['0199c0de-0001-7000-8000-00000000000a'],
  },
};

const viewOf = (target: Target) => exportView(target, now, policyToPaste(target, operator));

const tenant = { tenantId, name: 'Nordbank' };

export const exampleExports = {
  listed: { tenant, exports: [viewOf(stream), viewOf(bucket)] },
  refused: { tenant, exports: [viewOf(parked)] },
  waitingForTest: viewOf({ ...parked, lastTest: { id: 'b', requestedAt: now, outcome: 'waiting' } }),
  paused: viewOf({ ...stream, state: 'paused', stateSince: now, pausedBy: 'tenant' }),
  active: viewOf({ ...stream, stateSince: now }),
  deliveries: {
    deliveries: [
      attemptView({
        at: now - 2_000,
        durationMs: 2_113,
        outcome: 'failed',
        events: 3,
        delivered: 0,
        eventIds: ['0199c0de-0001-7000-8000-00000000000a', '0199c0de-0002-7000-8000-00000000000b'],
        status: 401,
        answer: '{"error":"invalid signature"}',
        code: 'Webhook.Http401',
        reason: 'The receiver answers with HTTP 401.',
        actor: 'tenant',
      }),
      attemptView({
        at: now - 62_000,
        durationMs: 48,
        outcome: 'delivered',
        events: 1,
        delivered: 1,
        eventIds: ['0199c0de-0003-7000-8000-00000000000c'],
      }),
    ],
    cursor: '1772446438000.9f86d081',
  },
  replayStarted: replayView(replay),
  replayDone: replayView({ ...replay, state: 'done', eventsSent: 8_204, cursorHour: '2026-03-02T08' }),
};
