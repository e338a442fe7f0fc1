/** Messages without a body: fetching the challenges, and removing the device. */
import { commonVectors, wrongSenders, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey, otherKey, passkeyKey } from './keys.ts';
import { assertionFor, flags, origin, passkeyId, rpId } from './passkeys.ts';
import {
  baseUrl,
  type Challenge,
  device,
  identity,
  jkt,
  now,
  plainChallenge,
  sha256,
  timeOf,
  uuidOf,
} from './story.ts';
import { invalidSignature, vectorOf, type Draft, type Expected } from './vector.ts';

type Call = { method: 'GET' | 'DELETE'; path: string; expected: Expected; given?: JsonObject };

function requestOf({ method, path, expected, given }: Call): Good & Draft {
  const { deviceId: iss, tenantId: tid, userId: sub } = identity;
  const jti = uuidOf(`${method} ${path}`);
  return {
    name: 'a request',
    key: deviceKey,
    header: { alg: 'ES256', typ: 'omi-request+jws', kid: iss },
    claims: { iat: now, jti, iss, tid, sub, aud: baseUrl, jkt, htm: method, htu: `${baseUrl}${path}` },
    ...(given && { given }),
    otherTyp: 'omi-response+jws',
    jwsIn: 'header',
    expected,
  };
}

/** A captured message must be of no use for another call. */
function otherTargets({ claims, ...good }: Draft, { method, path }: Call): Draft[] {
  const url = `${baseUrl}${path}`;
  const changes: Record<string, JsonObject> = {
    'another htm': { htm: method === 'GET' ? 'DELETE' : 'GET' },
    'htm in small letters': { htm: method.toLowerCase() },
    'no htm': { htm: undefined },
    'the htu of another call': { htu: `${baseUrl}/omi/device/push-token` },
    'the htu of another service': { htu: `https://elsewhere.example${path}` },
    'an htu with a query': { htu: `${url}?a=1` },
    'an htu with a slash at its end': { htu: `${url}/` },
    'no htu': { htu: undefined },
  };
  return Object.entries(changes).map(([name, change]) => {
    return {
      ...good,
      name,
      claims: JSON.parse(JSON.stringify({ ...claims, ...change })) as JsonObject,
      expected: invalidSignature,
    };
  });
}

/** @param more the vectors of this call alone */
function fileOf(call: Call, about: string, more: (good: Good & Draft) => Draft[] = () => []) {
  const good = requestOf(call);
  const { method, path } = call;
  return {
    about,
    call: { method, path, jwsIn: 'the header Authorization, after "OMI-Device "' },
    typ: 'omi-request+jws',
    baseUrl,
    device,
    vectors: [
      good,
      ...commonVectors(good),
      ...wrongSenders(good),
      ...otherTargets(good, call),
      ...more(good),
    ].map((draft) => vectorOf(draft, device.publicKey)),
  };
}

/** Made when the oldest valid request was signed. */
const challengeMadeAt = (createdAt: number): Challenge => ({
  ...plainChallenge,
  createdAt: timeOf(createdAt),
  expiresAt: timeOf(now + 300),
});

const listOf = (challenge: Challenge): Expected => ({
  status: 200,
  body: { challenges: [{ ...without(challenge, 'asked'), expiresInMs: 300_000 }], push: 'on' },
});

const stale: Expected = { status: 409, code: 'stale-request' };

/** A captured request shows nothing after it, or a later one, was used. */
function captured({ name: after, claims, given, ...good }: Good & Draft): Draft[] {
  const at = (iat: number, jti: string) => ({ ...claims, iat, jti: uuidOf(jti) });
  const used = { ...good, given: { ...given, after } };
  return [
    { ...used, name: 'the same request again', claims, expected: stale },
    { ...used, name: 'a request that is older than the last', claims: at(now - 1, 'older'), expected: stale },
    { ...used, name: 'another request of the same second', claims: at(now, 'another') },
  ];
}

const open = challengeMadeAt(now - 300);

export const request = () =>
  fileOf(
    {
      method: 'GET',
      path: '/omi/device/challenges',
      given: { challenge: open },
      expected: listOf(open),
    },
    'Fetching the open challenges. The service knows the device and one open challenge; "after" names the message that it answered before.',
    captured,
  );

/** The message with this `jti` needs an assertion over this challenge. */
const removalChallenge = (deviceId: string, jti: string): string => sha256(`unregister.${deviceId}.${jti}`);

const passkey = { id: passkeyId, publicKey: passkeyKey.publicJwk, counter: 7, synced: false };
const failed: Expected = { status: 422, code: 'user-verification-failed' };
const counterRefused: Expected = { status: 422, code: 'passkey-counter' };

/** Removals with an assertion of a passkey, or without one where the tenant requires it. */
function verified(good: Good & Draft): Draft[] {
  const { deviceId } = identity;
  const jti = String(good.claims['jti']);
  const challenge = removalChallenge(deviceId, jti);
  const required = { ...good, given: { passkey, userVerification: 'required' } };
  const assert = (name: string, over: string, change = {}, expected = failed): Draft => {
    const userVerification = assertionFor(over, { counter: 8, ...change });
    return { ...required, name, claims: { ...good.claims, userVerification }, expected };
  };
  const accepted = assert('a verified user', challenge, {}, good.expected);
  return [
    accepted,
    { ...accepted, name: 'a verified user, where the tenant does not require it', given: { passkey } },
    {
      ...required,
      name: 'no assertion, where the tenant requires it',
      expected: { status: 422, code: 'user-verification-required' },
    },
    { ...accepted, name: 'a device without a passkey', given: {}, expected: failed },
    assert('an assertion for another jti', removalChallenge(deviceId, uuidOf('another jti'))),
    assert('an assertion for another device', removalChallenge(uuidOf('an unknown device'), jti)),
    assert('an assertion for the jti alone', sha256(jti)),
    assert('no flag UV: nobody was verified', challenge, { flags: flags.present }),
    assert('a counter that stayed', challenge, { counter: 7 }, counterRefused),
    assert("another passkey's signature", challenge, { key: otherKey }),
  ];
}

const removal: Call = { method: 'DELETE', path: '/omi/device', expected: { status: 204 } };

export function unregister() {
  const { claims } = requestOf(removal);
  const { deviceId } = identity;
  const jti = String(claims['jti']);
  const { vectors, ...file } = fileOf(
    removal,
    'Removing the device. The service knows the device. "passkey" is what it knows of the device\'s passkey, and ' +
      '"userVerification" the setting of the tenant. The challenge of the assertion is the SHA-256 of "unregister.<deviceId>.<jti>".',
    verified,
  );
  return {
    ...file,
    rpId,
    origins: [origin],
    passkeyKey: passkeyKey.jwk,
    assertionChallenges: [{ deviceId, jti, challenge: removalChallenge(deviceId, jti) }],
    vectors,
  };
}
