import { describe, expect, test } from '@jest/globals';
import { hashOf, isEnrolmentLink, routeOf, type Route } from '../../../pages/app/src/routes.ts';

const routes: Route[] = [
  { screen: 'home' },
  { screen: 'challenge', challengeId: 'n-o_MeYWz5KiimUrlR9Ht7bMdNikaonb4P8L-3Fuepc' },
  { screen: 'history' },
  { screen: 'settings' },
  { screen: 'rename', deviceId: 'a/b c' },
  { screen: 'remove', deviceId: 'a/b c' },
  { screen: 'enrol' },
];

describe('an address', () => {
  test.each(routes)('opens its screen: %j', (route) => {
    expect(routeOf(hashOf(route))).toEqual(route);
  });

  test.each(['', '#', '#/', '#/nowhere', '#/challenge', '#/challenge/', '#x'])(
    'opens the start page: %j',
    (hash) => {
      expect(routeOf(hash)).toEqual({ screen: 'home' });
    },
  );

  test('causes no fault with an invalid escape', () => {
    expect(routeOf('#/challenge/%E0%A4%A')).toEqual({ screen: 'challenge', challengeId: '%E0%A4%A' });
  });
});

test.each([
  ['/enrol', '#v=1&api=a&code=b', true],
  ['/enrol', '', true],
  ['/', '#code=b&v=1', true],
  ['/', '#/enrol', false],
  ['/', '', false],
])('%s%s is an enrolment link: %s', (pathname, hash, expected) => {
  expect(isEnrolmentLink({ pathname, hash })).toBe(expected);
});
