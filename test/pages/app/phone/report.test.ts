import { expect, test } from '@jest/globals';
import { reportOf } from '../../../../pages/app/src/phone/report.ts';
import { challengeOf } from '../gallery/states.ts';
import { World, worldWithChallenge } from '../state/world.ts';

test('the report of a phone that is not set up has no name', () => {
  expect(reportOf(new World().state)).toEqual({ waiting: [], shows: 'list' });
});

test('the report has the requests that wait, and which of them the user sees', () => {
  const world = worldWithChallenge();
  const { message } = challengeOf('one');
  const report = reportOf(world.state);
  expect(report).toMatchObject({ waiting: [{ challengeId: 'one', message }], shows: 'list' });
  expect(report.name).toBe(world.state.accounts[0]?.name);
  world.send({ type: 'routed', route: { screen: 'settings' } });
  expect(reportOf(world.state).shows).toBe('none');
  world.send({ type: 'routed', route: { screen: 'challenge', challengeId: 'one' } });
  expect(reportOf(world.state).shows).toEqual({ challengeId: 'one' });
});

test('the report has the result of the latest request, and of no earlier one', () => {
  const world = worldWithChallenge();
  const fetched = (...ids: string[]) =>
    world.send({ type: 'fetched', deviceId: 'phone', challenges: ids.map((id) => challengeOf(id)) });
  fetched('one', 'two');
  fetched('two');
  expect(reportOf(world.state).ended).toEqual({ challengeId: 'one', outcome: 'cancelled' });
  world.send({ type: 'decided', challengeId: 'two', decision: 'deny' });
  world.send({ type: 'answered', challengeId: 'two', status: 'denied' });
  expect(reportOf(world.state)).toMatchObject({
    waiting: [],
    ended: { challengeId: 'two', outcome: 'denied' },
  });
});
