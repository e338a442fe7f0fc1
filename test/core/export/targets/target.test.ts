import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { destination } from '../../../../core/export/kinds/records.ts';
import { isDrained, routeOf, target as schema, type Target } from '../../../../core/export/targets/target.ts';

const stream = {
  kind: 'stream',
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/path/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
};

const made = (changes: Partial<Target> = {}): Target => ({
  ...v.parse(schema, {
    tenantId: '0199c0de-0000-7000-8000-000000000001',
    category: 'public',
    destination: stream,
    state: 'active',
    stateSince: 0,
    parkedCount: 0,
    parkedThrough: {},
    drainedThrough: {},
    waitingSince: {},
  }),
  ...changes,
});

const waiting = { parkedThrough: { '0/2': '0007' }, drainedThrough: { '0/2': '0003' } };
const drained = { parkedThrough: { '0/2': '0007' }, drainedThrough: { '0/2': '0007' } };

describe('a destination', () => {
  test('has two lanes by default if it is a stream', () => {
    expect(v.parse(destination, stream)).toEqual({ ...stream, lanes: 2 });
  });

  test.each([
    [
      'a stream of another service',
      { streamArn: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/x' },
    ],
    ['a user in place of a role', { roleArn: 'arn:aws:iam::123456789012:user/x' }],
    ['a short external id', { externalId: 'guess-me' }],
    ['an external id that STS does not take', { externalId: 'sixteen characters' }],
    ['no lanes', { lanes: 0 }],
    ['more lanes than a target can have', { lanes: 129 }],
  ])('is rejected with %s', (_, changes) => {
    expect(v.is(destination, { ...stream, ...changes })).toBe(false);
  });
});

describe('new events', () => {
  const slow: Partial<Target> = {
    state: 'degraded',
    fault: { actor: 'nobody', code: 'Slow', reason: 'It takes its time.' },
  };

  test.each<[string, Partial<Target>, string, string]>([
    ['are delivered to an active target', {}, '0/2', 'deliver'],
    ['queue behind waiting ones of their lane', { ...waiting }, '0/2', 'queue'],
    ['are delivered in a lane in which nothing waits', { ...waiting }, '1/2', 'deliver'],
    ['are delivered when everything is drained', { ...drained }, '0/2', 'deliver'],
    ['queue in any lane while someone must act', { ...waiting, state: 'parked' }, '1/2', 'queue'],
    ['queue in any lane while the target is slow', { ...drained, ...slow }, '0/2', 'queue'],
    ['are tried in a lane in which nothing waits', { ...drained, state: 'parked' }, '1/2', 'deliver'],
    ['queue until the target is validated', { state: 'validating' }, '0/2', 'queue'],
    ['queue while the target is paused', { ...drained, state: 'paused' }, '0/2', 'queue'],
    ['are skipped where there is no destination', { destination: { kind: 'none' } }, '0/2', 'skip'],
  ])('%s', (_, changes, lane, route) => {
    expect(routeOf(made(changes), lane)).toBe(route);
  });

  test('do not overtake what waits in lanes of an earlier number of lanes', () => {
    const changed = made({ ...waiting, state: 'parked' });
    expect(isDrained(changed)).toBe(false);
    expect(routeOf(changed, '0/8')).toBe('queue');
  });
});
