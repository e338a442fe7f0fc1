import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allows,
  guards,
  rowOf,
  startsOf,
  transitions,
  type Expected,
  type Guard,
  type Transition,
} from '../../../../core/export/targets/state-machine.ts';
import { targetKey } from '../../../../core/export/targets/target-item.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import {
  states,
  type BucketTrouble,
  type Fault,
  type Target,
  type TargetState,
} from '../../../../core/export/targets/target.ts';
import type { Destination } from '../../../../core/export/kinds/records.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const names = Object.keys(transitions) as Transition[];

const stream: Destination = {
  kind: 'stream',
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};
const bucket: Destination = {
  kind: 'bucket',
  bucket: 'events-of-example',
  deliveryStreamName: 'omi-example',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
};

const fault: Fault = { actor: 'tenant', code: 'AccessDenied', reason: 'The role cannot be assumed.' };

const bucketTrouble: BucketTrouble = {
  bucket: 'events-of-example',
  actor: 'tenant',
  code: 'Firehose.S3.NoSuchBucket',
  reason: 'Firehose cannot write.',
  since: 1,
  lastErrorAt: 2,
  writtenCount: 3,
  acceptedSince: 1,
};

const destination = fc.constantFrom<Destination>(stream, { ...stream, lanes: 4 }, bucket, { kind: 'none' });
const lanes = fc.dictionary(fc.constantFrom('0/2', '1/2'), fc.constantFrom('0001', '0002'), {
  noNullPrototype: true,
});
const time = fc.integer({ min: 1, max: 9 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Any target that the table could hold. */
const target: fc.Arbitrary<Target> = fc.record({
  tenantId: fc.constant('0199c0de-0000-7000-8000-000000000001'),
  category: fc.constantFrom('public' as const, 'log' as const),
  destination,
  state: fc.constantFrom(...states),
  stateSince: time,
  pausedBy: maybe(fc.constantFrom('tenant' as const, 'operator' as const)),
  fault: maybe(fc.constant(fault)),
  testFault: maybe(fc.constant(fault)),
  verifiedAt: maybe(time),
  ownership: maybe(fc.constant({ challengeHash: 'hash', object: 'omi/x.txt' })),
  warning: maybe(fc.constant('The stream spreads its records.')),
  provisionedAt: maybe(time),
  bucketTrouble: maybe(fc.constant(bucketTrouble)),
  acceptedCount: fc.constant(9),
  deliveredCount: fc.constant(8),
  parkedCount: fc.constantFrom(0, 1),
  parkedThrough: lanes,
  drainedThrough: lanes,
  waitingSince: fc.constantFrom<Record<string, number>>({}, { '0/2': 3 }),
});

/** What its writer read: mostly the same target, sometimes one that changed since. */
const seenOf = (current: Target): fc.Arbitrary<Target> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(current) },
    { weight: 1, arbitrary: destination.map((other) => ({ ...current, destination: other })) },
    { weight: 1, arbitrary: lanes.map((parkedThrough) => ({ ...current, parkedThrough })) },
    { weight: 1, arbitrary: fc.constantFrom(...states).map((state) => ({ ...current, state })) },
  );

const situation = target.chain((current) =>
  fc.record({ current: fc.constant(current), seen: seenOf(current) }),
);

describe('the state machine', () => {
  const reachable = (from: TargetState): TargetState[] =>
    names.filter((name) => startsOf(name).includes(from)).map((name) => transitions[name].to);

  test('leads from every state back to an active target without a new registration', () => {
    for (const state of states) {
      const seen = new Set<TargetState>([state]);
      for (const one of seen)
        for (const name of names.filter((each) => rowOf(each).from !== 'any' && startsOf(each).includes(one)))
          seen.add(transitions[name].to);
      expect(seen).toContain('active');
    }
  });

  test('reaches every state', () => {
    expect(new Set(states.flatMap(reachable))).toEqual(new Set(states));
  });

  test('lets only an operator undo what an operator did', () => {
    for (const name of ['degrade', 'park', 'recover', 'drain', 'revoke'] as const)
      for (const state of ['paused', 'validating'] as const) expect(startsOf(name)).not.toContain(state);
  });

  test('lets events flow only to trusted destinations, and to streams of signals', () => {
    const atRest: readonly TargetState[] = ['validating', 'paused'];
    const opening = names.filter(
      (name) =>
        startsOf(name).some((state) => atRest.includes(state)) && !atRest.includes(transitions[name].to),
    );
    expect(opening.toSorted()).toEqual([
      ...['discard', 'open', 'release', 'resume', 'resumeByTenant', 'validate'],
    ]);
    for (const name of ['release', 'resume', 'resumeByTenant', 'validate'] as const)
      expect(rowOf(name).guards).toContain('trusted');
  });

  test('lets a target become active only when nothing waits, it is a new stream, or nothing is exported', () => {
    const toActive = names.filter((name) => transitions[name].to === 'active');
    for (const guard of ['drained', 'settled'] as const)
      expect(toActive.filter((name) => !rowOf(name).guards.includes(guard))).toEqual(['open', 'discard']);
  });

  test('lets only a test end what a test found', () => {
    const live: readonly TargetState[] = ['degraded', 'parked'];
    const ending = names.filter(
      (name) => rowOf(name).from !== 'any' && startsOf(name).some((state) => live.includes(state)),
    );
    const toActive = ending.filter((name) => transitions[name].to === 'active');
    expect(toActive).toEqual(['drain']);
    expect(rowOf('drain').guards).toContain('sound');
  });

  test('uses every guard', () => {
    expect(new Set(names.flatMap((name) => rowOf(name).guards))).toEqual(new Set(Object.keys(guards)));
  });
});

describe('guards', () => {
  const of = (changes: Partial<Target>): Target => ({
    tenantId: '0199c0de-0000-7000-8000-000000000001',
    category: 'public',
    destination: stream,
    state: 'active',
    stateSince: 0,
    acceptedCount: 0,
    deliveredCount: 0,
    parkedCount: 0,
    parkedThrough: {},
    drainedThrough: {},
    waitingSince: {},
    ...changes,
  });
  const waits = { parkedThrough: { '0/2': '0002' }, drainedThrough: { '0/2': '0001' } };
  const drained = { parkedThrough: { '0/2': '0002' }, drainedThrough: { '0/2': '0002' } };

  test.each<[Guard, boolean, Target | undefined, Expected]>([
    ['otherDestination', true, undefined, of({})],
    ['otherDestination', true, of({}), of({ destination: bucket })],
    ['otherDestination', false, of({}), of({})],
    ['sameDestination', true, of({}), of({})],
    ['sameDestination', false, of({}), of({ destination: bucket })],
    ['sameDestination', false, undefined, of({})],
    ['trusted', true, of({ verifiedAt: 1 }), of({})],
    ['trusted', false, of({}), of({ verifiedAt: 1 })],
    ['provisioned', true, of({}), of({})],
    ['provisioned', false, of({ destination: bucket }), of({})],
    ['provisioned', true, of({ destination: bucket, provisionedAt: 1 }), of({})],
    ['sound', true, of({}), of({ testFault: fault })],
    ['sound', false, of({ testFault: fault }), of({})],
    ['pausedByTenant', true, of({ pausedBy: 'tenant' }), of({})],
    ['pausedByTenant', false, of({ pausedBy: 'operator' }), of({ pausedBy: 'tenant' })],
    ['pausedByTenant', false, of({}), of({})],
    ['drained', true, of(drained), of(drained)],
    ['drained', false, of(waits), of(waits)],
    ['drained', false, of(waits), of({})],
    ['waiting', true, of(waits), of(waits)],
    ['waiting', false, of(drained), of(drained)],
    ['waiting', false, of(drained), of(waits)],
    ['settled', true, of({}), of({})],
    ['settled', false, of({ bucketTrouble }), of({})],
    ['busy', true, of({ bucketTrouble }), of({})],
    ['busy', true, of(waits), of(waits)],
    ['busy', false, of(drained), of(waits)],
    ['busy', false, of(drained), of(drained)],
  ])('%s: %s', (guard, holds, current, expected) => {
    expect(guards[guard](current, expected)).toBe(holds);
  });
});

describe('a transition in the table', () => {
  let client: DynamoDBDocumentClient;
  let targets: TargetStore;
  beforeAll(async () => {
    client = await testDatabase({ tenants: 'tenants' });
    targets = new TargetStore(client, 'tenants');
  });

  /** What the row says about the target afterwards. */
  function after(name: Transition, current: Target, now: number): Target {
    const { to, removes = [], resets, restarts } = rowOf(name);
    const removed = Object.fromEntries([...removes, 'fault'].map((attribute) => [attribute, undefined]));
    const stateSince = current.state === to && !restarts ? current.stateSince : now;
    return { ...current, ...removed, ...resets, state: to, stateSince };
  }

  test.each(names)(
    '%s happens exactly when row and guards allow it, and changes nothing else',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(situation, async ({ current, seen }) => {
          const ref = { tenantId: randomUUID(), category: current.category };
          await client.send(
            new PutCommand({ TableName: 'tenants', Item: { ...current, ...ref, ...targetKey(ref) } }),
          );
          const isAllowed = allows(name, current, seen);
          expect(await targets.transition({ ...seen, ...ref }, name, 77)).toBe(isAllowed);
          const expected = isAllowed ? after(name, current, 77) : current;
          expect(await targets.find(ref)).toEqual({ ...expected, ...ref });
        }),
        { numRuns: propertyRuns(60) },
      );
    },
  );

  test.each(names)('%s needs a registered target, unless it is the registration', async (name) => {
    const ref = { tenantId: randomUUID(), category: 'public' as const };
    const { from, guards: its } = rowOf(name);
    const isRegistration = from === 'any' && its.every((guard) => guard === 'otherDestination');
    const seen = { ...ref, destination: stream, parkedThrough: {}, drainedThrough: {} };
    expect(await targets.transition(seen, name, 1)).toBe(isRegistration);
    expect(allows(name, undefined, seen)).toBe(isRegistration);
  });

  test('does not drain a target whose last test failed, whatever the writer knows', async () => {
    const ref = { tenantId: randomUUID(), category: 'public' as const };
    await targets.register(ref, { kind: 'none' }, 1);
    const active = await targets.find(ref);
    if (!active) throw new Error('The target is gone');
    const Item = { ...active, ...targetKey(ref), state: 'degraded', testFault: fault };
    await client.send(new PutCommand({ TableName: 'tenants', Item }));
    expect(await targets.transition({ ...active, state: 'degraded' }, 'drain', 2)).toBe(false);
    expect((await targets.find(ref))?.state).toBe('degraded');
  });

  test('sets its fault, or removes the previous one', async () => {
    const ref = { tenantId: randomUUID(), category: 'public' as const };
    await targets.register(ref, { kind: 'none' }, 1);
    const active = await targets.find(ref);
    if (!active) throw new Error('The target is gone');
    await targets.transition(active, 'park', 2, { fault });
    expect(await targets.find(ref)).toMatchObject({ state: 'parked', stateSince: 2, fault });
    await targets.transition(active, 'recover', 3);
    expect((await targets.find(ref))?.fault).toBeUndefined();
  });
});

test('only the target store writes a state, and only the lanes count events', () => {
  const files = readdirSync('core/export', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('replays/'),
  );
  const writing = (pattern: RegExp): string[] =>
    files.filter((file) => pattern.test(readFileSync(join('core/export', file), 'utf8')));
  expect(writing(/SET[^'`]*#?state\b|\bset: \{[^}]*\bstate\b/)).toEqual(['targets/target-store.ts']);
  expect(writing(/`ADD |\w+Count[:,] :/)).toEqual(['delivery/lane-watermark-store.ts']);
});
