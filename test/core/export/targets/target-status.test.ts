import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  describeTargetStatus,
  lastingFault,
  oldestWaitingAge,
} from '../../../../core/export/targets/target-status.ts';
import { states, target as schema, type Target } from '../../../../core/export/targets/target.ts';

const made = (changes: Partial<Target> = {}): Target => ({
  ...v.parse(schema, {
    tenantId: '0199c0de-0000-7000-8000-000000000001',
    category: 'public',
    destination: {
      kind: 'bucket',
      bucket: 'events-of-example',
      deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
      deliveryStreamName: 'omi-example',
    },
    state: 'active',
    stateSince: 1_000,
    parkedCount: 0,
    parkedThrough: {},
    drainedThrough: {},
    waitingSince: {},
  }),
  ...changes,
});

describe('the age of the oldest waiting event', () => {
  test('exists only while an event waits', () => {
    expect(oldestWaitingAge(made(), 5_000)).toBeUndefined();
    const left = {
      parkedThrough: { '0/1': '1' },
      drainedThrough: { '0/1': '1' },
      waitingSince: { '0/1': 1 },
    };
    expect(oldestWaitingAge(made(left), 5_000)).toBeUndefined();
  });

  test('is that of the lane that waits longest', () => {
    const target = made({
      parkedThrough: { '0/2': '5', '1/2': '7', '0/2/replay': '9' },
      drainedThrough: { '0/2': '5', '1/2': '6' },
      waitingSince: { '0/2': 1_000, '1/2': 2_000, '0/2/replay': 3_000 },
    });
    expect(oldestWaitingAge(target, 5_000)).toBe(3_000);
  });
});

describe("a target's status", () => {
  test('has a fault for its actor once events have waited 15 minutes for what should pass by itself', () => {
    const fault = {
      actor: 'nobody',
      lastingActor: 'tenant',
      code: 'Webhook.Http500',
      reason: 'It fails.',
    } as const;
    const after = (minutes: number, changes: Partial<Target> = {}) => {
      const waiting = { parkedThrough: { '0/1': '5' }, waitingSince: { '0/1': 2_000 } };
      const target = made({ state: 'degraded', fault, ...waiting, ...changes });
      return lastingFault(target, 2_000 + minutes * 60_000);
    };
    expect([after(14.9), after(15)]).toEqual([
      undefined,
      { ...fault, actor: 'tenant', reason: 'It fails. Events have waited for 15 minutes or more.' },
    ]);
    const { lastingActor: _, ...ofAws } = fault;
    expect(after(60, { fault: ofAws })).toBeUndefined();
    // It has delivered everything since, and fails for the first time.
    expect(after(60, { parkedThrough: {}, waitingSince: {} })).toBeUndefined();
    // Another lane was delivered five minutes ago.
    expect(after(60, { stateSince: 55 * 60_000 })).toBeUndefined();
    expect(after(60, { fault: { ...fault, actor: 'tenant' } })).toBeUndefined();
  });

  test('states what is wrong, since when, who has to act, and how much waits', () => {
    const target = made({
      state: 'parked',
      fault: { actor: 'tenant', code: 'AccessDenied', reason: 'The tenant must correct the role.' },
      acceptedCount: 9,
      deliveredCount: 7,
      parkedCount: 2,
      parkedThrough: { '0/1': '5' },
      waitingSince: { '0/1': 2_000 },
    });
    expect(describeTargetStatus(target, 10_000)).toEqual({
      state: 'parked',
      since: '1970-01-01T00:00:01.000Z',
      reason: 'The tenant must correct the role.',
      actor: 'tenant',
      accepted: 9,
      delivered: 7,
      inBucket: 7,
      parked: 2,
      oldestWaitingMs: 8_000,
    });
  });

  test.each(states)('has a reason when it is %s, without a fault too', (state) => {
    const status = describeTargetStatus(made({ state }), 5_000);
    expect(status.reason).toMatch(/^[A-Z].*\.$/);
    expect(status.actor).toBe(state === 'validating' || state === 'paused' ? 'operator' : 'nobody');
    expect(status).not.toHaveProperty('oldestWaitingMs');
  });

  test('shows nothing parked when nothing waits, although a repeated event was counted twice', () => {
    const drained = { parkedThrough: { '0/1': '1' }, drainedThrough: { '0/1': '1' }, parkedCount: 60 };
    expect(describeTargetStatus(made(drained), 5_000).parked).toBe(0);
  });

  test.each([
    ['events were delivered twice', { acceptedCount: 10, deliveredCount: 14, parkedCount: 0 }, [10, 10, 0]],
    [
      'events were delivered twice while more wait',
      { acceptedCount: 10, deliveredCount: 9, parkedCount: 3 },
      [10, 7, 3],
    ],
    ['events were parked twice', { acceptedCount: 10, deliveredCount: 0, parkedCount: 20 }, [10, 0, 10]],
  ])('adds up after %s', (_, counts, expected) => {
    const waits = { parkedThrough: { '0/1': '2' }, drainedThrough: { '0/1': '1' } };
    const target = made({ ...counts, ...(counts.parkedCount > 0 && waits) });
    const { accepted, delivered, parked } = describeTargetStatus(target, 5_000);
    expect([accepted, delivered, parked]).toEqual(expected);
  });

  test('counts replayed events apart', () => {
    const waits = { parkedThrough: { '0/1/replay': '2' }, drainedThrough: {} };
    const counts = { acceptedCount: 9, deliveredCount: 9, replayedCount: 4, replayWaitingCount: 5 };
    expect(describeTargetStatus(made({ ...counts, ...waits }), 5_000)).toMatchObject({
      accepted: 9,
      delivered: 9,
      replayed: 4,
      parked: 5,
    });
  });

  test('states that there is no export when the kind is none', () => {
    expect(describeTargetStatus(made({ destination: { kind: 'none' } }), 5_000).reason).toContain(
      'not exported',
    );
  });
});
