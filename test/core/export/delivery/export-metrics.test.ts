import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { target as schema, type Target } from '../../../../core/export/targets/target.ts';
import { metricLines } from '../../../support/metric-lines.ts';

const { countOutcomes } = await import('../../../../core/export/delivery/export-metrics.ts');

const lines = metricLines();

const made = (tenant: number, changes: Partial<Target> = {}): Target => ({
  ...v.parse(schema, {
    tenantId: `0199c0de-0000-7000-8000-00000000000${tenant}`,
    category: 'public',
    destination: {
      kind: 'bucket',
      bucket: 'events-of-example',
      deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
      deliveryStreamName: 'omi-example',
    },
    state: 'active',
    stateSince: 0,
    parkedCount: 0,
    parkedThrough: {},
    drainedThrough: {},
    waitingSince: {},
  }),
  ...changes,
});

const parked: Partial<Target> = {
  state: 'parked',
  parkedThrough: { '0/1': '1' },
  waitingSince: { '0/1': 1_000 },
};

test('a batch reports by kind of target what became of events, and the age of those that wait', () => {
  countOutcomes(
    [
      { target: made(1), delivered: 3, parked: 0, ageMs: 40 },
      { target: made(2, parked), delivered: 0, parked: 2, ageMs: 70 },
    ],
    9_000,
  );
  expect(lines[0]).toMatchObject({
    target: 'bucket',
    EventsDelivered: 3,
    EventsParked: 2,
    EventAge: 70,
    OldestParkedAge: 8_000,
  });
});

test('a batch reports how many targets are in each state, without naming a tenant', () => {
  const twice = made(2, parked);
  countOutcomes([
    { target: made(1), delivered: 1, parked: 0 },
    { target: twice, delivered: 0, parked: 1 },
    { target: twice, delivered: 0, parked: 1 },
    { target: made(3), delivered: 1, parked: 0 },
  ]);
  const seen = lines.filter((line) => 'TargetsSeen' in line);
  expect(seen.map(({ state, TargetsSeen }) => [state, TargetsSeen])).toEqual([
    ['active', 2],
    ['parked', 1],
  ]);
  expect(JSON.stringify(lines)).not.toContain('0199c0de');
});

test('no age is reported when nothing waits', () => {
  countOutcomes([{ target: made(1), delivered: 1, parked: 0 }]);
  expect(lines[0]).not.toHaveProperty('OldestParkedAge');
});
