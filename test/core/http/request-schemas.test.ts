import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { pushBody } from '../../../core/http/request-schemas.ts';

const schema = pushBody(600, ['https://shop.example.com', 'http://localhost:3000']);
const accepts = (returnTo: string): boolean =>
  v.safeParse(schema, { message: 'Pay 1 €?', nonce: 'a-nonce-of-this-test', returnTo }).success;

test.each([
  ['https://shop.example.com/orders?x=1', true],
  ['http://localhost:3000/', true],
  ['blob:https://shop.example.com/3f7e0b1c', false],
  ['BLOB:https://shop.example.com/x', false],
  ['blob:http://localhost:3000/x', false],
  ['filesystem:https://shop.example.com/temporary/x', false],
  ['javascript:location="https://shop.example.com"', false],
  ['wss://shop.example.com/', false],
])('the way back may be %s: %s', (returnTo, isAccepted) => {
  expect(accepts(returnTo)).toBe(isAccepted);
});
