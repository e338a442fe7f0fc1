import { expect, test } from '@jest/globals';
import { accountOf } from '../gallery/states.ts';
import { World } from './world.ts';

const newWorld = (): World =>
  new World({ accounts: [accountOf('phone')], route: { screen: 'rename', deviceId: 'phone' } });
const chosen = { type: 'rename-chosen', deviceId: 'phone', name: 'Kitchen' } as const;

test('a new name is sent once, and the settings are shown when it has arrived', () => {
  const world = newWorld().send(chosen, chosen);
  expect(world.taken()).toMatchObject([{ type: 'rename', name: 'Kitchen', account: { deviceId: 'phone' } }]);
  world.send({ type: 'renamed', deviceId: 'phone' });
  expect(world.state.renaming).toBeUndefined();
  expect(world.taken()).toEqual([{ type: 'navigate', route: { screen: 'settings' }, replace: true }]);
});

test('a name that did not reach the service is reported, and may be sent again', () => {
  const world = newWorld().send(chosen, { type: 'rename-failed', deviceId: 'phone' });
  expect(world.state.renaming).toEqual({ deviceId: 'phone', phase: 'failed', typed: 'Kitchen' });
  world.taken();
  expect(world.send(chosen).taken()).toMatchObject([{ type: 'rename' }]);
});

test('a name that arrives after the user has left the screen leads nowhere', () => {
  const world = newWorld().send(chosen, { type: 'routed', route: { screen: 'home' } });
  world.taken();
  expect(world.send({ type: 'renamed', deviceId: 'phone' }).takenOf('navigate')).toEqual([]);
});

test('a failure is forgotten when the user leaves the screen', () => {
  const failed = { type: 'rename-failed', deviceId: 'phone' } as const;
  const world = newWorld().send(chosen, failed, { type: 'routed', route: { screen: 'settings' } });
  expect(world.state.renaming).toBeUndefined();
});

test('a name that is half typed when a request comes between stays, and is forgotten when the user leaves it', () => {
  const typed = { type: 'rename-typed', deviceId: 'phone', text: 'Kit' } as const;
  const here = { type: 'routed', route: { screen: 'rename', deviceId: 'phone' } } as const;
  const request = { type: 'routed', route: { screen: 'challenge', challengeId: 'one' } } as const;
  const home = { type: 'routed', route: { screen: 'home' } } as const;
  const world = newWorld().send(typed, request, home, here);
  expect(world.state.renaming).toEqual({ deviceId: 'phone', phase: 'typing', typed: 'Kit' });
  expect(world.send(home, here).state.renaming).toBeUndefined();
});
