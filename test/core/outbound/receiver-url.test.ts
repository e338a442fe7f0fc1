import { describe, expect, test } from '@jest/globals';
import { faultOfReceiverUrl } from '../../../core/outbound/receiver-url.ts';

describe('the URL of a receiver', () => {
  test.each([
    'https://shop.example.com/omi/callback',
    'https://8.8.8.8/',
    'https://shop.example.com:443/?a=b',
    'https://localhost.example.com/',
    'https://internal.example.com./',
    'https://shop.contest/',
    'https://in-addr.arpa/',
    'https://[2606:4700::1111]/',
    `https://shop.example.com/${'x'.repeat(2023)}`,
  ])('may be %s', (url) => {
    expect(faultOfReceiverUrl(url, false)).toBeUndefined();
  });

  test.each([
    ['shop', /Expected a URL/],
    ['https:shop.example.com/', /Expected a URL/],
    ['https:/shop.example.com/', /Expected a URL/],
    [`https://shop.example.com/${'x'.repeat(2048)}`, /at most 2048/],
    ['http://shop.example.com/', /^The URL must begin with https:\/\/\.$/],
    ['https://shop.example.com:8443/', /port/],
    ['https://user:pass@shop.example.com/', /password/],
    ['https://user@shop.example.com/', /password/],
    ['https://:pass@shop.example.com/', /password/],
    ['https://shop.example.com/#a', /fragment/],
    ['https://10.0.0.1/', /public internet/],
    ['https://[::ffff:10.0.0.1]/', /public internet/],
    ['https://169.254.169.254/latest/meta-data', /public internet/],
    ['http://127.0.0.1:8080/', /https/],
    ['https://2130706433/', /public internet/],
    ...[
      ...[
        'localhost',
        'localhost.',
        'LOCALHOST',
        'receiver',
        'shop.localhost',
        'printer.local',
        'db.internal',
      ],
      ...['shop.test', 'shop.invalid', 'shop.onion', 'shop.alt', 'router.home.arpa', 'home.arpa.'],
    ].map((host): [string, RegExp] => [`https://${host}/`, /public internet/]),
  ])('may not be %s', (url, fault) => {
    expect(faultOfReceiverUrl(url, false)).toMatch(fault);
  });

  test('may be on loopback only on the local stack', () => {
    for (const protocol of ['http', 'https'])
      expect(faultOfReceiverUrl(`${protocol}://127.0.0.1:8080/omi/callback`, true)).toBeUndefined();
    expect(faultOfReceiverUrl('ftp://127.0.0.1/', true)).toMatch(/https/);
    for (const url of ['http://localhost:8080/', 'http://10.0.0.1/', 'http://127.0.0.2/', 'http://[::1]/'])
      expect(faultOfReceiverUrl(url, true)).toMatch(/https/);
    expect(faultOfReceiverUrl('https://localhost/', true)).toMatch(/public internet or http:\/\/127/);
  });
});
