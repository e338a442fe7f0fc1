import { expect, test } from '@jest/globals';
import { knowsWhatWaits, onlyRequest } from '../../../../pages/app/src/state/only-request.ts';
import { accountOf, challengeOf } from '../gallery/states.ts';
import { World } from './world.ts';

const fetched = (deviceId: string, ...ids: string[]) =>
  ({ type: 'fetched', deviceId, challenges: ids.map((id) => challengeOf(id)) }) as const;

const opened = () =>
  new World().send({ type: 'accounts', accounts: [accountOf('phone'), accountOf('second')], lost: [] });

test('what waits is known as soon as each account was asked', () => {
  const world = opened();
  expect(knowsWhatWaits(world.send(fetched('phone', 'one')).state)).toBe(false);
  expect(knowsWhatWaits(world.send(fetched('second')).state)).toBe(true);
});

test('the only request that waits has a screen to go to', () => {
  const { state } = opened().send(fetched('phone', 'one'));
  expect(onlyRequest(state)).toEqual({ screen: 'challenge', challengeId: 'one' });
});

test.each([
  ['nothing waits', opened().send(fetched('phone'))],
  ['two wait', opened().send(fetched('phone', 'one', 'two'))],
  [
    'the user is elsewhere',
    opened().send(fetched('phone', 'one'), { type: 'routed', route: { screen: 'settings' } }),
  ],
])('there is no such request if %s', (_, { state }) => {
  expect(onlyRequest(state)).toBeUndefined();
});
