/** Messages without a body: fetching the challenges, and removing the device. */
import { commonVectors, wrongSenders, type Good } from './common-faults.ts';
import { without, type JsonObject } from './json.ts';
import { deviceKey } from './keys.ts';
import { baseUrl, device, identity, jkt, now, plainChallenge, uuidOf } from './story.ts';
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

function fileOf(call: Call, about: string) {
  const good = requestOf(call);
  const { method, path } = call;
  return {
    about,
    call: { method, path, jwsIn: 'the header Authorization, after "OMI-Device "' },
    typ: 'omi-request+jws',
    baseUrl,
    device,
    vectors: [good, ...commonVectors(good), ...wrongSenders(good), ...otherTargets(good, call)].map((draft) =>
      vectorOf(draft, device.publicKey),
    ),
  };
}

const shown = without(plainChallenge, 'asked');

export const request = () =>
  fileOf(
    {
      method: 'GET',
      path: '/omi/device/challenges',
      given: { challenge: plainChallenge },
      expected: { status: 200, body: { challenges: [{ ...shown, expiresInMs: 112_000 }] } },
    },
    'Fetching the open challenges. The service knows the device and one open challenge.',
  );

export const unregister = () =>
  fileOf(
    { method: 'DELETE', path: '/omi/device', expected: { status: 204 } },
    'Removing the device. The service knows the device.',
  );
