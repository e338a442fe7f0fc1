/** What the document says of a request must be what the service accepts: no less, and no more. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  deviceDescription as describedBy,
  newPushToken,
  newSubscription,
} from '../../core/devices/device.ts';
import { browserPushServices } from '../../core/devices/push-services.ts';
import { enrolmentBody, pushBody as pushBodyOf } from '../../core/http/request-schemas.ts';
import { lifetimes } from '../../core/tenants/tenant.ts';
import { BrowserSubscription } from '../support/browser-subscription.ts';
import { exampleClaims, exampleRequest } from '../support/documented-examples.ts';
import { expectSchema } from '../support/openapi.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { anyCharacter } from '../support/any-character.ts';

const services = { hosts: browserPushServices };
const deviceDescription = describedBy(services);
const described = ['name', 'platform', 'pushToken', 'subscription', 'model', 'osVersion', 'appVersion'];

function isDocumented(name: string, value: unknown): boolean {
  try {
    expectSchema(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Joiners, selectors and tags: the words of the document say where they are allowed, its patterns cannot. */
const somewhere =
  /[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe02\ufe0e\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]/u;

function expectAgreement(name: string, schema: v.GenericSchema, value: unknown): void {
  if (!v.is(schema, value) && somewhere.test(JSON.stringify(value))) return;
  expect([value, isDocumented(name, value)]).toEqual([value, v.is(schema, value)]);
}

/** Letters, and whatever one of the rules is about. */
const character = fc.oneof(
  fc.constantFrom('a', 'Z', '0', '.', '_', '~', '-', '@', ':', '+', ' ', '/', '?', '#', '%'),
  fc.constantFrom('é', '字', '🙂', '\u0301', '\u200f', '\ud800', '\udc00', '\ud83d'),
  fc.constantFrom(
    '\u0000',
    '\n',
    '\u007f',
    '\u009f',
    '\u00a0',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u206a',
    '\u200d',
    '\u2800',
    '\ufe0f',
    '\ufff9',
    '\u2027',
    '\u2028',
    '\u2029',
    '\u202f',
  ),
);
const string = fc.array(character, { maxLength: 20 }).map((characters) => characters.join(''));

const lengths = [0, 1, 7, 8, 15, 16, 63, 64, 65, 127, 128, 129, 255, 256, 257, 4096, 4097];
const texts = lengths.flatMap((length) => ['a', '🙂', '\u00e9'].map((letter) => letter.repeat(length)));
const shown = [
  '.',
  '..',
  '...',
  ' ',
  '\u00a0\u3000',
  '\u0301',
  '\u200d\ufeff',
  'می\u200cخواهم',
  '👨\u200d👩\ufe0f',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '葛\u{e0100}神\ufe00',
  'ᠠ\u180b',
  ' a ',
  '\u0301a',
  '€',
  '¡',
  '７',
];
const others = [undefined, null, 1, true, {}, ['a'.repeat(20)]];

/** The document allows what the settings of some tenant allow. */
const pushBody = pushBodyOf(lifetimes.longest);

const push = exampleRequest('sendToUser', 'push');
const enrolment = exampleRequest('startEnrolment', 'enrolment');
const enrolmentClaims = exampleClaims('Enrolment');
const { name, platform, pushToken: token } = enrolmentClaims;

type Member = [string, v.GenericSchema, object, string];

const members: Member[] = [
  ['PushRequest', pushBody, push, 'message'],
  ['PushRequest', pushBody, push, 'nonce'],
  ['EnrolmentRequest', enrolmentBody, enrolment, 'userId'],
  ['PushTokenClaims', newPushToken, exampleClaims('PushToken'), 'pushToken'],
  ...described.map((member): Member => ['EnrolmentClaims', deviceDescription, enrolmentClaims, member]),
];

describe.each(members)('the documented schema of %s', (schemaName, schema, example, member) => {
  test(`accepts as ${member} exactly what the service accepts`, () => {
    for (const value of [...texts, ...shown, ...others])
      expectAgreement(schemaName, schema, { ...example, [member]: value });
    const values = fc.oneof(string, fc.string({ unit: anyCharacter, maxLength: 20 }));
    fc.assert(
      fc.property(values, (value) => expectAgreement(schemaName, schema, { ...example, [member]: value })),
      { numRuns: propertyRuns(300) },
    );
  });
});

test.each([29, 30, 31, 120, 600, 601, 86_399, 86_400, 86_401, 30.5, -30, '120', null, undefined])(
  'the documentation agrees with the service on a lifetime of %p',
  (expiresIn) => expectAgreement('PushRequest', pushBody, { ...push, expiresIn }),
);

test('the documentation agrees with the service on missing and unknown members', () => {
  for (const body of [
    {},
    { message: push['message'] },
    { nonce: push['nonce'] },
    { ...push, title: '' },
    [],
    'text',
  ])
    expectAgreement('PushRequest', pushBody, body);
  expectAgreement('EnrolmentRequest', enrolmentBody, { ...enrolment, name: '' });
  expectAgreement('EnrolmentClaims', deviceDescription, { ...enrolmentClaims, unknown: 1 });
  for (const claims of [
    { name, platform },
    { name, pushToken: token },
    { platform, pushToken: token },
  ])
    expectAgreement('EnrolmentClaims', deviceDescription, claims);
});

test("the documentation agrees with the service on each platform's members", () => {
  const { pushToken, ...others } = enrolmentClaims;
  const subscription = new BrowserSubscription().toJSON();
  for (const claims of [
    others,
    { ...others, pushToken, subscription },
    { ...others, platform: 'web' },
    { ...others, platform: 'web', subscription },
    { ...others, platform: 'web', pushToken },
    { ...others, platform: 'web', pushToken, subscription },
  ])
    expectAgreement('EnrolmentClaims', deviceDescription, claims);
});

test('the documentation agrees with the service on subscriptions', () => {
  const claims = { ...exampleClaims('PushToken'), pushToken: undefined };
  const { endpoint, keys } = new BrowserSubscription().toJSON();
  for (const subscription of [
    { endpoint, keys },
    { endpoint, keys, expirationTime: null },
    { endpoint },
    { keys },
    { endpoint: `https://${endpoint}`.padEnd(2049, 'x'), keys },
    { endpoint, keys: { auth: keys.auth } },
    { endpoint, keys: { p256dh: keys.p256dh } },
    { endpoint, keys: { ...keys, auth: keys.auth.slice(1) } },
    { endpoint, keys: { ...keys, auth: `${keys.auth}==` } },
    { endpoint, keys: { ...keys, p256dh: keys.p256dh.slice(1) } },
    'text',
    null,
    undefined,
  ])
    expectAgreement('PushTokenClaims', newSubscription(services), { ...claims, subscription });
});
