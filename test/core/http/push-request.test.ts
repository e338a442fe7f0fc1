import { describe, expect, test } from '@jest/globals';
import { pushRefusal, refuseAmbiguities } from '../../../core/http/push-request.ts';

const codeOf = (...pointers: string[]): string | undefined =>
  pushRefusal(pointers.map((pointer) => ({ pointer, detail: 'expected another value' })))?.code;

describe('the faults of a push', () => {
  test('do not reject a request when there are none', () => {
    expect(codeOf()).toBeUndefined();
  });

  test.each([
    ['/authorizationDetails'],
    ['/authorizationDetails/0/type'],
    ['/authorizationDetails', '/authorizationDetails/1'],
  ])('concern only the authorization details: %s', (...pointers) => {
    expect(codeOf(...pointers)).toBe('invalid_authorization_details');
  });

  test.each([
    ['/message'],
    ['/authorizationDetails', '/message'],
    ['/authorizationDetailsToo'],
    ['/other/authorizationDetails'],
  ])('concern other members, too: %s', (...pointers) => {
    expect(codeOf(...pointers)).toBe('invalid-request');
  });
});

describe('a body', () => {
  const twice = (level: number): string => `${'['.repeat(level - 1)}{"a":1,"a":2}${']'.repeat(level - 1)}`;

  test('is checked down to its eighth level, which no valid body has', () => {
    expect(refuseAmbiguities(twice(8))?.code).toBe('invalid-request');
    expect(refuseAmbiguities(twice(9))).toBeUndefined();
  });

  test('may not have a duplicate member', () => {
    expect(refuseAmbiguities('{"message":"Pay 1?","nonce":"n"}')).toBeUndefined();
    expect(refuseAmbiguities('{"message":"Pay 1?","message":"Pay 2?"}')?.code).toBe('invalid-request');
    const details = '{"authorizationDetails":[{"amount":"1","Amount":"2"}]}';
    expect(refuseAmbiguities(details)?.code).toBe('invalid_authorization_details');
  });
});
