/** Enrolments, signed with the key that is in their header. */
import { commonVectors, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey, otherKey, p384Key, publicKeyAsSecret, rsaKey, rsaPublicJwk } from './keys.ts';
import { origin, passkeyId, registrationFor, rpId, flags, type Change } from './passkeys.ts';
import {
  account,
  baseUrl,
  code,
  identity,
  jkt,
  now,
  pushToken,
  tenant,
  thumbprintOf,
  timeOf,
  uuidOf,
} from './story.ts';
import { invalidSubscriptions, subscription } from './subscriptions.ts';
import {
  embeddedKeyOf,
  invalidRequest,
  invalidSignature,
  vectorOf,
  type Draft,
  type Expected,
} from './vector.ts';

const accepted: Expected = { status: 201, body: { ...identity, tenant, account } };

const good: Draft & Good = {
  name: 'an enrolment',
  key: deviceKey,
  header: { alg: 'ES256', typ: 'omi-enrolment+jws', jwk: deviceKey.publicJwk },
  claims: {
    iat: now,
    jti: uuidOf('an enrolment'),
    aud: baseUrl,
    jkt,
    code,
    name: "Anna's phone",
    platform: 'fcm',
    pushToken,
    model: 'Pixel 9',
    osVersion: '16',
    appVersion: '2.4.1',
  },
  otherTyp: 'omi-response+jws',
  jwsIn: 'body',
  expected: accepted,
};

const vary = (name: string, claims: JsonObject, expected: Expected): Draft => {
  return { ...good, name, claims: { ...good.claims, ...claims }, expected };
};

const omit = (name: string, claim: string, expected: Expected): Draft => {
  return { ...good, name, claims: without(good.claims, claim), expected };
};

function descriptions(): Draft[] {
  return [
    {
      ...good,
      name: 'a name and a push token alone',
      claims: ['model', 'osVersion', 'appVersion'].reduce(without, good.claims),
    },
    vary('the platform apns', { platform: 'apns', pushToken: 'a1b2c3d4'.repeat(8) }, accepted),
    vary('a name of 64 emoji', { name: '📱'.repeat(64) }, accepted),
    vary('a name of 65 emoji', { name: '📱'.repeat(65) }, invalidRequest),
    vary('an empty name', { name: '' }, invalidRequest),
    vary('a name with a line end', { name: 'My\nphone' }, invalidRequest),
    vary('another platform', { platform: 'carrier-pigeon' }, invalidRequest),
    vary('a push token of 7 characters', { pushToken: 'a1:b2-c' }, invalidRequest),
    vary('a model of 65 characters', { model: 'x'.repeat(65) }, invalidRequest),
    omit('no name', 'name', invalidRequest),
    omit('no push token', 'pushToken', invalidRequest),
    omit('no platform', 'platform', invalidRequest),
  ];
}

function browsers(): Draft[] {
  const bare = without(good.claims, 'pushToken');
  const web = (name: string, claims: JsonObject, expected: Expected): Draft => {
    return { ...good, name, claims: { ...bare, platform: 'web', ...claims }, expected };
  };
  return [
    web('a browser with a subscription', { subscription }, accepted),
    web('a browser without a subscription', {}, accepted),
    ...Object.entries(invalidSubscriptions).map(([name, value]) =>
      web(`a browser: ${name}`, { subscription: value }, invalidRequest),
    ),
    web('a browser with a push token', { pushToken }, invalidRequest),
    vary('a phone with a subscription', { subscription }, invalidRequest),
  ];
}

function passkeys(): Draft[] {
  const failed: Expected = { status: 422, code: 'user-verification-failed' };
  const required = { enrolment: { code, expiresAt: timeOf(now + 300), userVerification: 'required' } };
  const good = registrationFor(code);
  const { present, verified, credential, eligible, backedUp } = flags;
  const changes: Record<string, Change> = {
    'another origin': { client: { origin: 'https://attacker.example' } },
    'a frame of another origin': { client: { crossOrigin: true } },
    'the type of an assertion': { client: { type: 'webauthn.get' } },
    'another relying party': { rpId: 'attacker.example' },
    'no flag UV: nobody was verified': { flags: present | credential },
    'no flag UP: nobody was there': { flags: verified | credential },
  };
  return [
    vary('a passkey', { passkey: good }, accepted),
    vary(
      'a synced passkey',
      { passkey: registrationFor(code, { flags: present | verified | credential | eligible | backedUp }) },
      accepted,
    ),
    { ...vary('a passkey that is required', { passkey: good }, accepted), given: required },
    {
      ...vary('no passkey where one is required', {}, { status: 422, code: 'user-verification-required' }),
      given: required,
    },
    vary('a passkey for another code', { passkey: registrationFor('another code') }, failed),
    vary(
      "a passkey with another credential's id",
      { passkey: { ...good, id: `${passkeyId.slice(0, -4)}AAAA` } },
      failed,
    ),
    vary('a passkey with another key', { passkey: { ...good, publicKey: otherKey.publicJwk } }, failed),
    ...Object.entries(changes).map(([name, change]) =>
      vary(`a passkey: ${name}`, { passkey: registrationFor(code, change) }, failed),
    ),
  ];
}

function codes(): Draft[] {
  const other = uuidOf('another code');
  const expiresAt = timeOf(now);
  return [
    vary('a code that does not exist', { code: other }, { status: 404, code: 'enrolment-not-found' }),
    omit('no code', 'code', invalidRequest),
    {
      ...good,
      name: 'a code that has expired',
      given: { enrolment: { code, expiresAt } },
      expected: { status: 410, code: 'enrolment-code-expired' },
    },
    {
      ...vary('the same key and code again', { jti: uuidOf('again') }, accepted),
      given: { after: good.name },
    },
    {
      ...good,
      name: 'a code that another key has used',
      key: otherKey,
      header: { ...good.header, jwk: otherKey.publicJwk },
      claims: { ...good.claims, jkt: thumbprintOf(otherKey.publicJwk) },
      given: { after: good.name },
      expected: { status: 409, code: 'enrolment-code-used' },
    },
  ];
}

/** Base64url of a coordinate that is not canonical: its last character has two bits that decoders ignore. */
const respelt = (coordinate: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return coordinate.slice(0, -1) + (alphabet[alphabet.indexOf(coordinate.at(-1) ?? '') + 1] ?? '');
};

function keys(): Draft[] {
  const { publicJwk } = deviceKey;
  const withJwk = (jwk: unknown) => ({ header: { ...good.header, jwk } });
  const refused: Record<string, Partial<Draft>> = {
    'a jwk with its private part': withJwk(deviceKey.jwk),
    'a P-384 key': { ...withJwk(p384Key.publicJwk), key: p384Key },
    'a P-384 key that is called P-256': { ...withJwk({ ...p384Key.publicJwk, crv: 'P-256' }), key: p384Key },
    'a P-256 key that is called secp256k1': withJwk({ ...publicJwk, crv: 'secp256k1' }),
    'an RSA key': { ...withJwk(rsaPublicJwk), key: rsaKey },
    'a symmetric key': { ...withJwk(publicKeyAsSecret.jwk), key: publicKeyAsSecret },
    'a point that is not on the curve': withJwk({ ...publicJwk, y: otherKey.publicJwk.y }),
    'a compressed point': withJwk(without(publicJwk, 'y')),
    'a coordinate with padding': withJwk({ ...publicJwk, x: `${publicJwk.x}=` }),
    'a coordinate whose unused bits are not zero': withJwk({ ...publicJwk, x: respelt(publicJwk.x) }),
    "another device's key": withJwk(otherKey.publicJwk),
    'a key for encryption': withJwk({ ...publicJwk, use: 'enc' }),
    'a key that may sign': withJwk({ ...publicJwk, key_ops: ['sign', 'verify'] }),
    'a jwk that is text': withJwk(JSON.stringify(publicJwk)),
    'no jwk': { header: without(good.header, 'jwk') },
  };
  const twice = JSON.stringify(good.header).replace('"x":', `"x":"${otherKey.publicJwk.x}","x":`);
  return [
    {
      ...good,
      name: 'a jwk as browsers export it',
      ...withJwk({ ...publicJwk, key_ops: ['verify'], ext: true }),
    },
    ...Object.entries(refused).map(([name, change]) => {
      return { ...good, name, ...change, expected: invalidSignature };
    }),
    { ...good, name: 'a jwk with a member twice', bytes: { header: twice }, expected: invalidSignature },
  ];
}

export const enrolment = () => ({
  about:
    'Enrolling a device. The service knows the code; "after" names the message that it accepted before. The device id of an ' +
    'answer is an example: the service makes a new one.',
  call: {
    method: 'POST',
    path: '/omi/device/enrolments',
    jwsIn: 'the body',
    contentType: 'application/jose',
  },
  typ: 'omi-enrolment+jws',
  baseUrl,
  rpId,
  origins: [origin],
  enrolment: {
    code,
    expiresAt: timeOf(now + 300),
    tenantId: identity.tenantId,
    userId: identity.userId,
    tenant,
    account,
  },
  vectors: [
    good,
    ...descriptions(),
    ...browsers(),
    ...passkeys(),
    ...codes(),
    ...keys(),
    ...commonVectors(good),
  ].map((draft) => vectorOf(draft, embeddedKeyOf(draft))),
});
