/** What a target's record says of its tests, which message repeats them, and what only a test can end. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { describeTargetStatus } from '../../../../core/export/targets/target-status.ts';
import { needsTest } from '../../../../core/export/targets/test-schedule.ts';
import type { Probe } from '../../../../core/export/kinds/probe.ts';
import type { StreamDestination } from '../../../../core/export/kinds/stream/record.ts';
import type { PolicyDocument } from '../../../../core/export/kinds/policies/policy-document.ts';
import { minutes, seconds } from '../../../../core/kernel/time.ts';
import { VerificationWorld } from '../../../support/verification-world.ts';

let world: VerificationWorld;
beforeAll(async () => {
  world = await VerificationWorld.start();
});
afterEach(() => world.faults.clear());
afterAll(async () => await world.close());

const live = async () => {
  const made = await world.streamTarget();
  await world.goLive(made.ref);
  return made;
};

/** The test, with another probe of streams. */
const testing = (prove: Probe['prove']) => ({ probes: { ...world.deps.probes, stream: { prove } } });

/** The trust policy with other conditions. */
const trusting = (destination: StreamDestination, condition: object): void =>
  world.putRole(destination, ({ trustPolicy, permissionPolicy }) => {
    const [statement] = trustPolicy.Statement;
    const Statement = [{ ...statement, Condition: condition }];
    return { trustPolicy: { ...trustPolicy, Statement } as PolicyDocument, permissionPolicy };
  });

const lastTest = async (ref: TargetRef) => (await world.target(ref)).lastTest;

/** One event, as the exporter handles it. */
const exportOne = async (ref: TargetRef) =>
  await world.exports.export(world.exports.records(ref, [{ key: 'a', n: 1 }]));

/** Tests that were asked for, beside those of the test itself. */
const asked = async (ref: TargetRef) =>
  (await world.exports.receiveTests()).filter(({ tenantId }) => tenantId === ref.tenantId).length;

describe('the record of a test', () => {
  test('states when it was requested, when it ended, and how', async () => {
    const { ref } = await world.streamTarget();
    await world.verify(ref, { now: 7, message: { id: 'one', sentAt: 5 } });
    expect(await lastTest(ref)).toEqual({ id: 'one', requestedAt: 5, endedAt: 7, outcome: 'passed' });
  });

  test('states why it failed, and when it is repeated', async () => {
    const { ref, destination } = await world.streamTarget();
    world.exports.cloud.roles.remove(destination.roleArn);
    await world.verify(ref, { now: 7, message: { id: 'one', sentAt: 5 } });
    const first = await lastTest(ref);
    expect(first).toMatchObject({
      requestedAt: 5,
      endedAt: 7,
      outcome: 'failed',
      code: 'AccessDenied',
      reason: (await world.target(ref)).fault?.reason,
      nextAt: 7 + 1 * minutes,
    });
    const again = { id: 'one', sentAt: 5, receives: 2 };
    const second = await world.verify(ref, { now: 1 * minutes, message: again });
    expect(second).toMatchObject({ outcome: 'failed', againAt: 6 * minutes });
    expect(await lastTest(ref)).toMatchObject({ requestedAt: first?.nextAt, nextAt: 6 * minutes });
  });

  test('states that it is running', async () => {
    const { ref } = await world.streamTarget();
    let seen: unknown;
    const prove = async (): Promise<never> => {
      seen = await lastTest(ref);
      throw new Error('stopped here');
    };
    const running = world.verify(ref, { deps: testing(prove), message: { id: 'one', sentAt: 5 } });
    await expect(running).rejects.toThrow('stopped here');
    expect(seen).toEqual({ id: 'one', requestedAt: 5, outcome: 'running' });
  });

  test('states that it was postponed, and does not end trust', async () => {
    const { ref } = await live();
    const before = await world.target(ref);
    world.faults.add({ service: 'sts', fault: 'throttle' });
    const postponed = await world.verify(ref, { now: 7, message: { id: 'one', sentAt: 5 } });
    expect(postponed).toMatchObject({ outcome: 'not-now', againAt: 7 + 2 * seconds });
    const after = await world.target(ref);
    expect(after.lastTest).toMatchObject({ outcome: 'postponed', code: 'Throttling', endedAt: 7 });
    expect(after).toEqual({ ...before, lastTest: after.lastTest });
  });

  test('names no next test for a bucket whose owner has to act', async () => {
    const { ref } = await world.bucketTarget();
    const verification = await world.verify(ref);
    expect(verification).not.toHaveProperty('againAt');
    expect(await lastTest(ref)).toMatchObject({ outcome: 'failed', code: 'Verification.OwnershipUnproven' });
    expect(needsTest(await world.target(ref), Date.now())).toBe(false);
  });
});

describe('a repeated message', () => {
  const broken = async () => {
    const made = await live();
    world.exports.cloud.roles.remove(made.destination.roleArn);
    return made;
  };

  test('ends when a later request took over, so that one message repeats the tests of a target', async () => {
    const { ref } = await broken();
    const [first, second] = [
      { id: 'first', sentAt: 1 },
      { id: 'second', sentAt: 2 },
    ];
    await world.verify(ref, { message: first });
    await world.verify(ref, { message: second });
    const again = await world.verify(ref, { message: { ...first, receives: 2 } });
    expect(again).toEqual({ outcome: 'superseded' });
    expect(await world.verify(ref, { message: { ...second, receives: 2 } })).toMatchObject({
      outcome: 'failed',
    });
  });

  test('runs the test if its Lambda was killed before it began', async () => {
    const { ref } = await broken();
    await world.verify(ref, { message: { id: 'first', sentAt: 1 } });
    const died = { id: 'second', sentAt: 2, receives: 2 };
    expect(await world.verify(ref, { message: died })).toMatchObject({ outcome: 'failed' });
  });

  test('is always handled when it carries a proof, which no other message has', async () => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref, { message: { id: 'later', sentAt: 9 } });
    const proof = await world.challengeOf(ref);
    const message = { id: 'first', sentAt: 1, receives: 2 };
    expect(await world.verify(ref, { proof, message })).toEqual({ outcome: 'verified' });
  });
});

describe('a test that ends after a later one began', () => {
  const [first, second] = [
    { id: 'first', sentAt: 1 },
    { id: 'second', sentAt: 2 },
  ];

  test('does not fail a target that the tenant fixed and had tested again', async () => {
    const { ref, destination } = await live();
    world.exports.cloud.roles.remove(destination.roleArn);
    const { stream } = world.deps.probes;
    const prove: Probe['prove'] = async (claim) => {
      await expect(stream.prove(claim)).rejects.toThrow();
      world.putRole(destination);
      expect(await world.verify(ref, { message: second })).toEqual({ outcome: 'verified' });
      world.exports.cloud.roles.remove(destination.roleArn);
      return await stream.prove(claim);
    };
    const deps = testing(prove);
    expect(await world.verify(ref, { deps, message: first })).toMatchObject({ outcome: 'changed' });
    expect(await world.target(ref)).toMatchObject({
      state: 'active',
      lastTest: { id: 'second', outcome: 'passed' },
    });
    expect(await world.verify(ref, { message: { ...first, receives: 2 } })).toEqual({
      outcome: 'superseded',
    });
  });

  test('does not pass a target in which the later test found a fault', async () => {
    const { ref, destination } = await live();
    const { stream } = world.deps.probes;
    const prove: Probe['prove'] = async (claim) => {
      const warning = await stream.prove(claim);
      world.exports.cloud.roles.remove(destination.roleArn);
      expect(await world.verify(ref, { message: second })).toMatchObject({ outcome: 'failed' });
      return warning;
    };
    const ended = await world.verify(ref, { deps: testing(prove), message: first });
    expect(ended).toMatchObject({ outcome: 'changed' });
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      testFault: { code: 'AccessDenied' },
      lastTest: { id: 'second', outcome: 'failed' },
    });
  });
});

describe('the fault found by a test', () => {
  /** The role lets the service in no more. A session that the exporter has opened before goes on. */
  const shut = async () => {
    const made = await live();
    await exportOne(made.ref);
    trusting(made.destination, { StringEquals: { 'sts:ExternalId': 'of somebody else' } });
    expect(await world.tested(made.ref)).toMatchObject({ state: 'parked', code: 'AccessDenied' });
    await exportOne(made.ref);
    return made;
  };

  test('stays reported although an earlier session delivers events, until a test passes', async () => {
    const { ref, name, destination } = await shut();
    expect((await world.exports.consumed(name)).length).toBe(2);
    const status = describeTargetStatus(await world.target(ref), Date.now());
    expect(status).toMatchObject({ state: 'degraded', actor: 'tenant' });
    expect(status.reason).toContain('The role cannot be assumed');
    await exportOne(ref);
    expect((await world.target(ref)).state).toBe('degraded');
    world.putRole(destination);
    expect(await world.tested(ref)).toEqual({ outcome: 'verified', state: 'active', isVerified: true });
    expect(await world.target(ref)).not.toHaveProperty('testFault');
  });

  test('stays reported while the next test has to wait for AWS', async () => {
    const { ref } = await shut();
    world.faults.add({ service: 'sts', fault: 'unavailable' });
    expect(await world.tested(ref)).toMatchObject({ outcome: 'not-now', state: 'degraded' });
    await exportOne(ref);
    expect(describeTargetStatus(await world.target(ref), Date.now())).toMatchObject({
      state: 'degraded',
      actor: 'tenant',
    });
  });

  test('is found again for a delivering target without a change of its state', async () => {
    const { ref } = await shut();
    const { stateSince } = await world.target(ref);
    expect(await world.tested(ref)).toMatchObject({ outcome: 'failed', state: 'degraded' });
    expect((await world.target(ref)).stateSince).toBe(stateSince);
  });

  test('is tested again as soon as events are delivered', async () => {
    const { ref } = await shut();
    expect(await asked(ref)).toBe(1);
    await exportOne(ref);
    expect(await asked(ref)).toBe(0);
  });

  test('is not cleared by a writer that read the target before the test failed', async () => {
    const { ref } = await shut();
    const { testFault, ...before } = await world.target(ref);
    expect(testFault).toMatchObject({ code: 'AccessDenied' });
    expect(await world.targets.drain(before, Date.now())).toBe(false);
    expect((await world.target(ref)).state).toBe('degraded');
  });

  test('is forgotten with another destination', async () => {
    const { ref, destination } = await shut();
    await world.register(ref, { ...destination, lanes: 4 });
    expect(await world.target(ref)).not.toHaveProperty('testFault');
  });
});

describe('waiting events', () => {
  test('cause a test soon, but once, when the target is not trusted', async () => {
    const { ref, destination } = await live();
    trusting(destination, {});
    const message = { id: 'one', sentAt: 1 };
    for (const receives of [1, 2, 3, 4]) await world.verify(ref, { message: { ...message, receives } });
    expect((await lastTest(ref))?.nextAt).toBeGreaterThan(Date.now() + 50 * minutes);
    await exportOne(ref);
    await world.exports.redeliver();
    expect(await asked(ref)).toBe(1);
    await world.exports.redeliver();
    expect(await asked(ref)).toBe(0);
    await world.verify(ref);
    expect((await lastTest(ref))?.nextAt).toBeLessThanOrEqual(Date.now() + 1 * minutes);

    world.putRole(destination);
    await world.verify(ref);
    await world.exports.deliverParked(ref);
    expect(await world.target(ref)).toMatchObject({ state: 'active', parkedCount: 0 });
  });

  test('are reported as being delivered as soon as a test of a parked target passes', async () => {
    const { ref, destination } = await live();
    await world.targets.transition(await world.target(ref), 'revoke', Date.now());
    await exportOne(ref);
    await world.readiness.verified(await world.target(ref), Date.now());
    world.exports.cloud.roles.remove(destination.roleArn);
    expect(await world.tested(ref)).toMatchObject({ state: 'parked' });
    world.putRole(destination);
    expect(await world.tested(ref)).toMatchObject({ state: 'degraded', code: undefined });
    await world.exports.deliverParked(ref);
    expect((await world.target(ref)).state).toBe('active');
  });
});
