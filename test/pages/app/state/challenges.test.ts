import { describe, expect, test } from '@jest/globals';
import { isClockOff } from '../../../../pages/app/src/state/state.ts';
import { accountOf, challengeOf } from '../gallery/states.ts';
import { World, worldWithChallenge } from './world.ts';

const fetched = (...challenges: ReturnType<typeof challengeOf>[]) =>
  ({ type: 'fetched', deviceId: 'phone', challenges }) as const;

describe('an open challenge', () => {
  test("expires by the remaining time of the service, not by this device's clock", () => {
    const world = worldWithChallenge({ expiresAt: '2030-01-01T00:00:00.000Z', expiresInMs: 30_000 });
    world.pass(29_000).send({ type: 'ticked' });
    expect(world.state.challenges).toHaveLength(1);
    world.pass(1_000).send({ type: 'ticked' });
    expect(world.state).toMatchObject({ challenges: [], ended: { one: { outcome: 'expired' } } });
    expect(world.takenOf('record')).toMatchObject([{ entry: { outcome: 'expired' } }]);
  });

  test('is kept in the history with its whole context', () => {
    const shown = {
      requester: { tenant: 'Nordbank', client: 'Online banking' },
      purpose: 'remove-device',
      device: { deviceId: 'second', name: 'Pixel, Chrome' },
      requestedFrom: { browser: 'Firefox on Windows', place: 'Köln' },
    };
    const { context, message } = challengeOf('one', shown);
    const world = worldWithChallenge({ context }).send({
      type: 'decided',
      challengeId: 'one',
      decision: 'confirm',
    });
    world.send({ type: 'answered', challengeId: 'one', status: 'confirmed' });
    const [record] = world.takenOf('record');
    expect(record?.entry).toEqual({
      ...{ challengeId: 'one', deviceId: 'phone', message, outcome: 'confirmed', at: world.now },
      ...shown,
    });
  });

  test('does not expire while its answer is being sent', () => {
    const world = worldWithChallenge().send({ type: 'decided', challengeId: 'one', decision: 'confirm' });
    world.pass(110_000).send({ type: 'ticked' });
    expect(world.state.challenges).toHaveLength(1);
    world.send({ type: 'answered', challengeId: 'one', status: 'confirmed' });
    expect(world.state.ended).toMatchObject({ one: { outcome: 'confirmed' } });
  });

  test('is withdrawn, or expired if its time was over, when the service no longer lists it', () => {
    const withdrawn = worldWithChallenge().pass(5_000).send(fetched());
    expect(withdrawn.state.ended).toMatchObject({ one: { outcome: 'cancelled' } });
    const expired = worldWithChallenge().pass(104_500).send(fetched());
    expect(expired.state.ended).toMatchObject({ one: { outcome: 'expired' } });
  });

  test('does not reappear from a list that is older than its answer', () => {
    const world = worldWithChallenge().send({ type: 'decided', challengeId: 'one', decision: 'confirm' });
    world.send({ type: 'answered', challengeId: 'one', status: 'confirmed' }, fetched(challengeOf('one')));
    expect(world.state.challenges).toEqual([]);
  });

  test('has a countdown that does not jump with each call', () => {
    const world = worldWithChallenge();
    const [before] = world.state.challenges;
    world.pass(2_000).send(fetched(challengeOf('one', { expiresInMs: 102_400 })));
    expect(world.state.challenges[0]?.deadline).toBe(before?.deadline);
    world.send(fetched(challengeOf('one', { expiresInMs: 60_000 })));
    expect(world.state.challenges[0]?.deadline).toBe(world.now + 60_000);
  });

  test('shows its outcome, and is not recorded twice, when another tab answered it', () => {
    const answered = { type: 'answered', challengeId: 'one', outcome: 'denied' } as const;
    const world = worldWithChallenge().send({ type: 'tab', message: answered });
    expect(world.state.ended).toMatchObject({ one: { outcome: 'denied', elsewhere: true } });
    expect(world.taken()).toEqual([]);
  });

  test('changes from withdrawn to confirmed when the other tab reports its answer', () => {
    const world = worldWithChallenge().pass(1_000).send(fetched());
    world.send({ type: 'tab', message: { type: 'answered', challengeId: 'one', outcome: 'confirmed' } });
    expect(world.state.ended).toMatchObject({ one: { outcome: 'confirmed', elsewhere: true } });
  });

  test('keeps its own result when the other tab was late', () => {
    const world = worldWithChallenge().send({ type: 'decided', challengeId: 'one', decision: 'confirm' });
    world.send({ type: 'answered', challengeId: 'one', status: 'confirmed' });
    world.send({ type: 'tab', message: { type: 'answered', challengeId: 'one', outcome: 'cancelled' } });
    expect(world.state.ended).toMatchObject({ one: { outcome: 'confirmed', elsewhere: false } });
  });
});

test('challenges of several accounts are listed together, the next to expire first', () => {
  const world = new World({ accounts: [accountOf('phone'), accountOf('second')] });
  const ids = () => world.state.challenges.map(({ challenge }) => challenge.challengeId);
  world.send(
    fetched(
      challengeOf('tomorrow', { expiresInMs: 86_400_000 }),
      challengeOf('new', { createdAt: '2026-11-22T09:29:50.000Z', expiresInMs: 120_000 }),
    ),
  );
  world.send({ type: 'fetched', deviceId: 'second', challenges: [challengeOf('old')] });
  expect(ids()).toEqual(['old', 'new', 'tomorrow']);
  world.send(fetched());
  expect(ids()).toEqual(['old']);
});

test('the name of a tenant is that of its newest challenge, wherever it is in the list', () => {
  const world = new World({ accounts: [accountOf('phone', { tenantName: 'Old name' })] });
  world.send(
    fetched(
      challengeOf('new', {
        createdAt: '2026-11-22T09:29:50.000Z',
        tenant: 'New name',
        account: 'Anna',
      }),
      challengeOf('old', { tenant: 'Old name', expiresInMs: 600_000 }),
    ),
  );
  expect(world.takenOf('set-names')).toMatchObject([{ names: { tenant: 'New name', account: 'Anna' } }]);
});

test("the error of the clock is the service's time in a challenge less this device's", () => {
  const world = worldWithChallenge();
  const behind = new Date(world.now + 3_600_000 + 90_000).toISOString();
  expect(isClockOff(world.state)).toBe(false);
  world.send(fetched(challengeOf('one', { expiresAt: behind, expiresInMs: 90_000 })));
  expect(world.state.clockOffsetMs).toBe(3_600_000);
  expect(isClockOff(world.state)).toBe(true);
});

test('the name of a tenant is stored once, when a challenge contains it', () => {
  const world = new World({ accounts: [accountOf('phone', { tenantName: 'Old name' })] });
  world.send(fetched(challengeOf('one')));
  const names = { tenant: 'Nordbank', account: 'Zoë · …4711' };
  expect(world.takenOf('set-names')).toEqual([{ type: 'set-names', deviceId: 'phone', names }]);
  world.send({ type: 'accounts', accounts: [accountOf('phone')], lost: [] }, fetched(challengeOf('one')));
  expect(world.takenOf('set-names')).toEqual([]);
  world.send(fetched(challengeOf('one', { account: undefined as never })));
  expect(world.takenOf('set-names')).toMatchObject([{ names: { tenant: 'Nordbank' } }]);
});
