/** New names of a device. */
import { commonVectors, wrongSenders, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey } from './keys.ts';
import { baseUrl, device, identity, jkt, now, uuidOf } from './story.ts';
import { invalidRequest, vectorOf, type Draft, type Expected } from './vector.ts';

const { deviceId: iss, tenantId: tid, userId: sub } = identity;

const accepted: Expected = { status: 204 };
const stale: Expected = { status: 409, code: 'stale-request' };

const good: Draft & Good = {
  name: 'a name',
  key: deviceKey,
  header: { alg: 'ES256', typ: 'omi-device-name+jws', kid: iss },
  claims: { iat: now, jti: uuidOf('a new name'), iss, tid, sub, aud: baseUrl, jkt, name: 'Annas Küche' },
  otherTyp: 'omi-push-token+jws',
  jwsIn: 'body',
  expected: accepted,
};

const vary = (name: string, claims: JsonObject, expected: Expected): Draft => {
  return { ...good, name, claims: { ...good.claims, ...claims }, expected };
};

const names = (): Draft[] => [
  vary('64 code points', { name: '📱'.repeat(64) }, accepted),
  vary('65 code points', { name: 'x'.repeat(65) }, invalidRequest),
  vary('an empty name', { name: '' }, invalidRequest),
  vary('a name with a hidden character', { name: 'Ann\u200ba' }, invalidRequest),
  vary('a name that is no text', { name: 7 }, invalidRequest),
  { ...good, name: 'no name', claims: without(good.claims, 'name'), expected: invalidRequest },
];

/** An old message that somebody captured must not bring an old name back. */
const repetitions = (): Draft[] =>
  [
    { ...good, name: 'the same message again', expected: accepted },
    vary('another name of the same second', { jti: uuidOf('the same second'), name: 'Phone' }, accepted),
    vary('an older message', { jti: uuidOf('an older one'), iat: now - 1 }, stale),
  ].map((draft) => ({ ...draft, given: { after: good.name } }));

export const deviceName = () => ({
  about: 'Another name for the device. "after" names the message that the service accepted before.',
  call: { method: 'PUT', path: '/omi/device/name', jwsIn: 'the body', contentType: 'application/jose' },
  typ: 'omi-device-name+jws',
  baseUrl,
  device,
  vectors: [good, ...names(), ...repetitions(), ...commonVectors(good), ...wrongSenders(good)].map((draft) =>
    vectorOf(draft, device.publicKey),
  ),
});
