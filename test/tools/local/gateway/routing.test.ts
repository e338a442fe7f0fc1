import { expect, test } from '@jest/globals';
import { createRouter, type Routable } from '../../../../tools/local/gateway/routing.ts';

const routes = [
  { method: 'GET', path: '/omi/users/{userId}/devices' },
  { method: 'GET', path: '/omi/{any}/all/devices' },
  { method: 'GET', path: '/omi/users/all/devices' },
  { method: 'DELETE', path: '/omi/users/{userId}/devices/{deviceId}' },
] satisfies Routable[];

const find = createRouter<Routable>(routes);
const matched = (method: string, path: string) => {
  const match = find(method, path);
  return match && [match.route.path, match.pathParameters];
};

test('a variable matches one whole segment', () => {
  expect(matched('DELETE', '/omi/users/anna/devices/d-1')).toEqual([
    '/omi/users/{userId}/devices/{deviceId}',
    { userId: 'anna', deviceId: 'd-1' },
  ]);
});

test('a literal segment wins over a variable, in any order of the routes', () => {
  expect(matched('GET', '/omi/users/all/devices')).toEqual(['/omi/users/all/devices', {}]);
  expect(matched('GET', '/omi/others/all/devices')).toEqual(['/omi/{any}/all/devices', { any: 'others' }]);
});

test.each([
  ['POST', '/omi/users/anna/devices', 'another method'],
  ['GET', '/omi/users/anna/devices/', 'a slash at the end'],
  ['GET', '/omi/users//devices', 'an empty variable'],
  ['GET', '/omi/users/anna', 'too few segments'],
  ['GET', '/omi/users/anna/bob/devices', 'too many segments'],
  ['GET', '/omi/Users/anna/devices', 'another case'],
])('%s %s matches nothing: %s', (method, path) => {
  expect(matched(method, path)).toBeUndefined();
});
