/** New push tokens. */
import { commonVectors, wrongSenders, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey } from './keys.ts';
import { baseUrl, device, identity, jkt, now, pushToken as token, uuidOf } from './story.ts';
import { invalidSubscriptions, subscription } from './subscriptions.ts';
import { invalidRequest, vectorOf, type Draft, type Expected } from './vector.ts';

const { deviceId: iss, tenantId: tid, userId: sub } = identity;

const accepted: Expected = { status: 204 };
const stale: Expected = { status: 409, code: 'stale-request' };

const good: Draft & Good = {
  name: 'a push token',
  key: deviceKey,
  header: { alg: 'ES256', typ: 'omi-push-token+jws', kid: iss },
  claims: { iat: now, jti: uuidOf('a push token'), iss, tid, sub, aud: baseUrl, jkt, pushToken: token },
  otherTyp: 'omi-request+jws',
  jwsIn: 'body',
  expected: accepted,
};

const vary = (name: string, claims: JsonObject, expected: Expected): Draft => {
  return { ...good, name, claims: { ...good.claims, ...claims }, expected };
};

const tokens = (): Draft[] => [
  vary('8 characters', { pushToken: 'a1:b2-c3' }, accepted),
  vary('7 characters', { pushToken: 'a1:b2-c' }, invalidRequest),
  vary('4,096 characters', { pushToken: 'x'.repeat(4_096) }, accepted),
  vary('4,097 characters', { pushToken: 'x'.repeat(4_097) }, invalidRequest),
  vary('a token that is not ASCII', { pushToken: 'tøken-12345' }, invalidRequest),
  vary('a token that is no text', { pushToken: 12_345_678 }, invalidRequest),
  { ...good, name: 'no token', claims: without(good.claims, 'pushToken'), expected: invalidRequest },
];

/** A browser has a subscription in place of a push token. */
function subscriptions(): Draft[] {
  const of = (name: string, value: unknown, expected: Expected): Draft => {
    const claims = { ...without(good.claims, 'pushToken'), subscription: value };
    return { ...good, name, claims, given: { platform: 'web' }, expected };
  };
  return [
    of('a subscription of a browser', subscription, accepted),
    ...Object.entries(invalidSubscriptions).map(([name, value]) => of(name, value, invalidRequest)),
    { ...good, name: 'a push token of a browser', given: { platform: 'web' }, expected: invalidRequest },
    { ...of('a subscription of a phone', subscription, invalidRequest), given: {} },
  ];
}

/** An old message that somebody captured must not bring an old token back. */
const repetitions = (): Draft[] =>
  [
    { ...good, name: 'the same message again', expected: stale },
    vary('another message of the same second', { jti: uuidOf('the same second') }, stale),
    vary('an older message', { jti: uuidOf('an older one'), iat: now - 1 }, stale),
    vary('a newer message', { jti: uuidOf('a newer one'), iat: now + 1 }, accepted),
  ].map((draft) => ({ ...draft, given: { after: good.name } }));

export const pushToken = () => ({
  about:
    'Telling the service where pushes reach the device. "after" names the message that the service accepted before.',
  call: { method: 'PUT', path: '/omi/device/push-token', jwsIn: 'the body', contentType: 'application/jose' },
  typ: 'omi-push-token+jws',
  baseUrl,
  device,
  vectors: [
    good,
    ...tokens(),
    ...subscriptions(),
    ...repetitions(),
    ...commonVectors(good),
    ...wrongSenders(good),
  ].map((draft) => vectorOf(draft, device.publicKey)),
});
