import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { httpsUrl, webUrl } from '../../../core/kernel/web-url.ts';

test.each(['https://shop.example.com', 'https://shop.example.com/x?a=b#c'])(
  'a web address may be %s',
  (url) => {
    expect(v.is(httpsUrl(), url)).toBe(true);
  },
);

test.each([
  'https:shop.example.com/x',
  'https:/shop.example.com/x',
  'https:///shop.example.com/x',
  'https:////shop.example.com/x',
  'https:///@shop.example.com/x',
  'https://@shop.example.com/x',
  'https://?shop.example.com',
  String.raw`https:\\shop.example.com`,
  'HTTPS://shop.example.com/',
  '//shop.example.com/x',
  'shop.example.com',
])('a web address may not be %s, which an app could read as something else', (url) => {
  expect(v.is(webUrl(), url)).toBe(false);
});
