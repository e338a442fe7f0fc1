import * as v from 'valibot';
import { expect, test } from '@jest/globals';
import { browserPushServices } from '../../../core/devices/push-services.ts';
import { serverKeyIdOf, subscriptionSchema } from '../../../core/devices/subscription.ts';
import { BrowserSubscription } from '../../support/browser-subscription.ts';

const accepted = [
  'https://fcm.googleapis.com/fcm/send/d1:APA91b',
  'https://fcm.googleapis.com:443/wp/d1',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  'https://web.push.apple.com/QGx',
  'https://wns2-am3p.notify.windows.com/w/?token=BQYAAA%3d%3d',
];

const refused = [
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
  'https://fcm.googleapis.com:80/x',
  'https://user@fcm.googleapis.com/x',
  'https://:password@fcm.googleapis.com/x',
  'https://fcm.googleapis.com@evil.example/x',
  'https://fcm.googleapis.com.evil.example/x',
  'https://evil.example/fcm.googleapis.com',
  'https://evil.example#fcm.googleapis.com',
  'https://sub.fcm.googleapis.com/x',
  'https://push.services.mozilla.com/x',
  'https://.push.services.mozilla.com/x',
  'https://evilpush.services.mozilla.com/x',
  'https://evil-push.apple.com/x',
  'https://push.apple.com/x',
  'https://notify.windows.com/x',
  'https://fcm.googleapis.com./x',
  'https://127.0.0.1/x',
  'https://localhost/x',
  'https://[::1]/x',
  'https://169.254.169.254/latest/meta-data/',
  'https://2130706433/x',
  'https:\\\\fcm.googleapis.com\\x',
  'https://fcm.googleapis.com\\@evil.example/x',
  'https://fcm.googleapis.com/x y',
  ' https://fcm.googleapis.com/x',
  'https://fcm.goo\tgleapis.com/x',
  'https://fcm.goog\u200dleapis.com/x',
  'https://ｆcm.googleapis.com/x',
  'ftp://fcm.googleapis.com/x',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//fcm.googleapis.com/x',
  'fcm.googleapis.com/x',
  `https://fcm.googleapis.com/${'x'.repeat(2048)}`,
  '',
  7,
  null,
];

/** The base point of P-256, a valid key. */
const point = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';
const bytes = Buffer.from(point, 'base64url');
const changed = (change: (bytes: Buffer) => void): string => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy.toString('base64url');
};

const badKeys: [string, unknown][] = [
  ['a point off the curve', changed((copy) => (copy[64] = (copy[64] ?? 0) ^ 1))],
  ['another point off the curve', changed((copy) => copy.fill(1, 1))],
  ['zero coordinates', changed((copy) => copy.fill(0, 1))],
  ['coordinates above the prime', changed((copy) => copy.fill(255, 1))],
  ['a compressed point', Buffer.concat([Buffer.of(3), bytes.subarray(1, 33)]).toString('base64url')],
  ['a hybrid point', changed((copy) => (copy[0] = 7))],
  ['the point at infinity', 'AA'],
  ['one byte too many', Buffer.concat([bytes, Buffer.of(0)]).toString('base64url')],
  ['one byte too few', bytes.subarray(0, 64).toString('base64url')],
  ['padding', `${point}=`],
  ['base64', bytes.toString('base64')],
  ['nothing', ''],
  ['a number', 7],
  ['null', null],
  ['no value', undefined],
];

const badSecrets: [string, unknown][] = [
  ['15 bytes', Buffer.alloc(15).toString('base64url')],
  ['17 bytes', Buffer.alloc(17).toString('base64url')],
  ['padding', Buffer.alloc(16).toString('base64')],
  ['a non-canonical text that decodes to 16 bytes', 'AAAAAAAAAAAAAAAAAAAAAB'],
  ['other characters', '!'.repeat(22)],
  ['nothing', ''],
  ['a number', 7],
  ['no value', undefined],
];

const { endpoint, keys } = new BrowserSubscription().toJSON();

const faultsOf = (subscription: unknown): string[] =>
  (v.safeParse(subscriptionSchema({ hosts: browserPushServices }), subscription).issues ?? []).map(
    (issue) => v.getDotPath(issue) ?? '',
  );

test.each(accepted)('a subscription may have the endpoint %s', (of) => {
  expect(faultsOf({ endpoint: of, keys })).toEqual([]);
});

test.each(refused)('a subscription may not have the endpoint %j', (of) => {
  expect(faultsOf({ endpoint: of, keys })).toContain('endpoint');
});

test('a subscription may have any key of P-256', () => {
  expect(faultsOf({ endpoint, keys: { ...keys, p256dh: point } })).toEqual([]);
});

test.each(badKeys)('a subscription may not have the key %s', (_, p256dh) => {
  expect(faultsOf({ endpoint, keys: { ...keys, p256dh } })).toEqual(['keys.p256dh']);
});

test.each(badSecrets)('a subscription may not have the secret %s', (_, auth) => {
  expect(faultsOf({ endpoint, keys: { ...keys, auth } })).toEqual(['keys.auth']);
});

test('a subscription is kept with the id of the key for which it was made', () => {
  const services = { hosts: browserPushServices, applicationServerKey: point };
  expect(v.parse(subscriptionSchema(services), { endpoint, keys, serverKeyId: 'forged' })).toEqual({
    ...{ endpoint, keys },
    serverKeyId: serverKeyIdOf(point),
  });
});
