import { describe, expect, test } from '@jest/globals';
import { accountOf } from '../gallery/states.ts';
import { pushHealthOf } from '../../../../pages/app/src/state/state.ts';
import { World } from './world.ts';

const failed = (code: string, more: { retryAfter?: number; serverTime?: string } = {}) =>
  ({ type: 'fetch-failed', deviceId: 'phone', failure: { code, ...more } }) as const;
const fetched = { type: 'fetched', deviceId: 'phone', challenges: [] } as const;
const tick = { type: 'ticked' } as const;

const newWorld = (): World => new World({ accounts: [accountOf('phone')] });

/** Seconds from now until the app fetches again by itself. */
function secondsToFetch(world: World): number {
  world.taken();
  for (let seconds = 1; seconds <= 120; seconds += 1)
    if (world.pass(1_000).send(tick).takenOf('fetch').length > 0) return seconds;
  return Infinity;
}

describe('the app', () => {
  test('requests challenges every two seconds while it is visible', () => {
    const world = newWorld().send(tick, fetched);
    expect(secondsToFetch(world)).toBe(2);
    expect(secondsToFetch(world.send(fetched))).toBe(2);
  });

  test('waits for the end of the last call, unless the browser lost it', () => {
    const world = newWorld().send(tick, tick, tick);
    expect(world.takenOf('fetch')).toHaveLength(1);
    expect(secondsToFetch(world)).toBeGreaterThan(20);
  });

  test('makes no request while it is hidden, and one at once when it becomes visible', () => {
    const world = newWorld().send({ type: 'visibility', visible: false }, tick);
    expect(world.takenOf('fetch')).toEqual([]);
    expect(world.send({ type: 'visibility', visible: true }).takenOf('fetch')).toHaveLength(1);
  });

  test.each([
    ['a push', { type: 'tab', message: { type: 'pushed', challengeId: 'one' } }],
    ['the focus', { type: 'woken' }],
    ['a connection', { type: 'network', online: true }],
  ] as const)('requests challenges at once after %s', (_, message) => {
    const world = newWorld().send(tick, fetched);
    world.taken();
    expect(world.send(message).takenOf('fetch')).toHaveLength(1);
  });

  test('waits longer, up to a minute, while calls fail', () => {
    const world = newWorld().send(tick);
    const pauses = Array.from({ length: 7 }, () => secondsToFetch(world.send(failed('network'))));
    expect(pauses).toEqual([4, 8, 16, 32, 60, 60, 60]);
    expect(world.state.contacts).toMatchObject({ phone: { state: 'unreachable' } });
    expect(secondsToFetch(world.send(fetched))).toBe(2);
  });

  test('waits until the time that the service named, whatever happens', () => {
    const world = newWorld().send(tick, failed('too-many-requests', { retryAfter: 30 }));
    world.taken();
    world.pass(29_000).send({ type: 'woken' }, tick);
    expect(world.takenOf('fetch')).toEqual([]);
    expect(world.pass(1_000).send({ type: 'woken' }).takenOf('fetch')).toHaveLength(1);
  });

  test('asks for a removed device only when something happens, because it may exist again', () => {
    const world = newWorld().send(tick, failed('invalid-signature'));
    expect(world.state.contacts).toMatchObject({ phone: { state: 'removed' } });
    expect(secondsToFetch(world)).toBe(Infinity);
    expect(world.send({ type: 'woken' }).takenOf('fetch')).toHaveLength(1);
    world.send(fetched);
    expect(world.state.contacts).toMatchObject({ phone: { state: 'reached' } });
  });

  test('learns the error of the clock from a refusal', () => {
    const world = newWorld().send(tick);
    world.send(failed('clock-skew', { serverTime: new Date(world.now + 600_000).toISOString() }));
    expect(world.state.clockOffsetMs).toBe(600_000);
  });
});

test('a clicked notification opens its challenge', () => {
  const world = newWorld().send({ type: 'tab', message: { type: 'opened', challengeId: 'one' } });
  expect(world.takenOf('navigate')).toEqual([
    { type: 'navigate', route: { screen: 'challenge', challengeId: 'one' } },
  ]);
});

describe('pushes that no longer arrive', () => {
  const unreachable = { ...fetched, push: 'unreachable' } as const;
  const active = { type: 'push-health', health: { state: 'active' } } as const;

  test('are set up again, at most once a minute, and the user is told until the service pushes again', () => {
    const world = newWorld().send(active, unreachable);
    expect(pushHealthOf(world.state)).toEqual({ state: 'unreachable' });
    expect(world.takenOf('replace-push')).toHaveLength(1);
    world.send(active, unreachable);
    expect(pushHealthOf(world.state)).toEqual({ state: 'unreachable' });
    expect(world.takenOf('replace-push')).toEqual([]);
    expect(world.pass(60_000).send(unreachable).takenOf('replace-push')).toHaveLength(1);
    world.send(failed('network'));
    expect(pushHealthOf(world.state)).toEqual({ state: 'unreachable' });
    world.send({ ...fetched, push: 'on' });
    expect(pushHealthOf(world.state)).toEqual({ state: 'active' });
  });

  test.each([
    ['the user permits none', { state: 'off', permission: 'prompt' }],
    ['the user has switched them off', { state: 'revoked' }],
  ] as const)('stay as they are where %s', (_, health) => {
    const world = newWorld().send({ type: 'push-health', health }, unreachable);
    expect(world.takenOf('replace-push')).toEqual([]);
    expect(pushHealthOf(world.state)).toEqual(health);
  });
});

test('the app that is seen again asks whether the service has another key for pushes', () => {
  const seen = { type: 'visibility', visible: true } as const;
  expect(newWorld().send(seen).takenOf('refresh-push')).toEqual([]);
  const world = newWorld().send({ type: 'push-health', health: { state: 'active' } }, seen);
  expect(world.takenOf('refresh-push')).toHaveLength(1);
});
