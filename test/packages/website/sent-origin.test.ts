import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { requestOrigin } from '../../../core/confirmations/request-origin.ts';
import { sentOrigin, shownOrigin } from '../../../packages/website/src/sent-origin.ts';
import type { RequestOrigin } from '#website';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51324', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:51324', '203.0.113.7'],
  ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
])('the address in %j is %s, which the service takes', (given, ip) => {
  expect(sentOrigin({ ip })).toEqual({ ip });
  expect(sentOrigin({ ip: given, place: 'Köln' })).toEqual({ ip, place: 'Köln' });
  expect(v.is(requestOrigin, { ip })).toBe(true);
});

test.each([
  [['203.0.113.7', '10.0.0.1'], '203.0.113.7'],
  [[], undefined],
  [null, undefined],
  [5, undefined],
])('an address that is no text, %j, fails no payment: %s', (given, ip) => {
  const origin = { ip: given, place: null, browser: 'Firefox' } as unknown as RequestOrigin;
  expect(sentOrigin(origin)).toEqual({ browser: 'Firefox', ...(ip !== undefined && { ip }) });
});

test.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113',
  '203.0.113.256',
  '1.2.3.4.5',
  'example.com',
  ']:80',
  '::1::',
])('what is no address is left out: %j', (ip) => {
  expect(sentOrigin({ ip, browser: 'Firefox' })).toEqual({ browser: 'Firefox' });
  expect(sentOrigin({ ip })).toBeUndefined();
  expect(shownOrigin({ ip })).toBeNull();
});
