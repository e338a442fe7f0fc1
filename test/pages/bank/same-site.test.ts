import { expect, test } from '@jest/globals';
import { checkSameSite } from '../../../pages/bank/server/same-site.ts';

const origin = 'https://bank.example';
const check = (method: string, headers: Record<string, string>) => () =>
  checkSameSite(new Request(`${origin}/bank/payments`, { method, headers }), origin);

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'https://evil.example' }],
  [
    'another origin that claims to be the same site',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ],
  ['an origin without a name', { origin: 'null' }],
  ['the origin without TLS', { origin: 'http://bank.example' }],
  ['a neighbour of the host', { 'sec-fetch-site': 'same-site' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a link or a bookmark', { 'sec-fetch-site': 'none' }],
])('a request from %s changes nothing', (_, headers) => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(check(method, headers)).toThrow('a page of the bank');
  expect(check('GET', headers)).not.toThrow();
});

test('a page of the bank, and a program other than a browser, may call', () => {
  expect(check('POST', { origin, 'sec-fetch-site': 'same-origin' })).not.toThrow();
  expect(check('POST', { origin: 'null', 'sec-fetch-site': 'same-origin' })).not.toThrow();
  expect(check('POST', {})).not.toThrow();
});
