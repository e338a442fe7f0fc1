import { expect, test } from '@jest/globals';
import { accountOf } from '../gallery/states.ts';
import { World } from './world.ts';

const newWorld = (): World =>
  new World({ accounts: [accountOf('phone')], route: { screen: 'remove', deviceId: 'phone' } });
const chosen = { type: 'removal-chosen', deviceId: 'phone', onlyHere: false } as const;
const failed = (code: string) => ({ type: 'removal-failed', deviceId: 'phone', failure: { code } }) as const;

test('a removed account disappears, and the settings are shown', () => {
  const world = newWorld().send(chosen, chosen);
  expect(world.taken()).toMatchObject([{ type: 'remove', onlyHere: false }]);
  world.send({ type: 'removed', deviceId: 'phone' });
  expect(world.state.accounts).toEqual([]);
  expect(world.state.removal).toBeUndefined();
  expect(world.takenOf('navigate')).toMatchObject([{ route: { screen: 'settings' }, replace: true }]);
});

test('a removal that did not reach the service is reported, and may be tried again', () => {
  const world = newWorld().send(chosen, failed('network'));
  expect(world.state).toMatchObject({
    removal: { phase: 'failed', code: expect.any(String) },
    accounts: [{ deviceId: 'phone' }],
  });
  world.taken();
  expect(world.send(chosen).taken()).toMatchObject([{ type: 'remove', onlyHere: false }]);
});

test('a device that the service does not know is deleted locally', () => {
  const world = newWorld().send(chosen, failed('invalid-signature'));
  expect(world.takenOf('remove')).toMatchObject([{ onlyHere: false }, { onlyHere: true }]);
});

test('a message about a lost key is not shown again after the user has read it', () => {
  const world = new World({ lost: [{ deviceId: 'phone', tenantName: 'Nordbank' }] });
  world.send({ type: 'lost-read', deviceId: 'phone' });
  expect(world.state.lost).toEqual([]);
  expect(world.taken()).toEqual([{ type: 'forget-lost', deviceId: 'phone' }]);
});
