/** The package signs what the good vectors say, reads what the service answers to them, and turns refusals into errors. */
import { createPrivateKey, sign, type JsonWebKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  assertionChallenge,
  base64url,
  Device,
  DeviceError,
  removalChallenge,
  scan,
  type Answer,
  type Challenge,
  type DeviceDescription,
  type DeviceKey,
  type PublicJwk,
  type PushAddress,
  type UserVerification,
} from '#device';
import {
  isGood,
  isOwnForm,
  messageFile,
  messageKinds,
  readVectors,
  serviceTimeOf,
  type MessageKind,
  type Vector,
  type VectorFile,
} from './vectors.ts';

function deviceKey(jwk: JsonWebKey): DeviceKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const { kty, crv, x, y } = jwk;
  return {
    publicKey: { kty, crv, x, y } as PublicJwk,
    sign: async (data) => await Promise.resolve(sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })),
  };
}

/** A service that gives the answer of the vector, and keeps what it was sent. */
function serviceOf(vector: Vector) {
  const calls: { url: string; method: string; headers: Headers; body: string }[] = [];
  const { status, body, ...problem } = vector.expected;
  const fetch = async (
    url: string | URL | Request,
    { method = '', headers, body: sent }: RequestInit = {},
  ) => {
    // The package sends text alone.
    calls.push({
      url: url instanceof Request ? url.url : url.toString(),
      method,
      headers: new Headers(headers),
      body: sent as string,
    });
    const answer = status < 300 ? body : problem;
    return await Promise.resolve(new Response(answer && JSON.stringify(answer), { status }));
  };
  return { calls, fetch };
}

type Actions = Record<
  MessageKind,
  (device: () => Device, vector: Vector, enrol: () => Promise<Device>) => Promise<unknown>
>;

const claimsOf = ({ claims = {} }: Vector) => claims;

const actions: Actions = {
  enrolment: async (_, __, enrol) => (await enrol()).identity,
  request: async (device) => await device().challenges(),
  'user-verification': async (device, vector) => await device().answer(challengeOf(vector), answerOf(vector)),
  response: async (device, vector) => await device().answer(challengeOf(vector), answerOf(vector)),
  'push-token': async (device, vector) => {
    const { pushToken, subscription } = claimsOf(vector);
    const address = subscription === undefined ? { pushToken } : { subscription };
    await device().refreshPushToken(address as PushAddress);
  },
  'device-name': async (device, vector) => await device().rename(String(claimsOf(vector)['name'])),
  unregister: async (device, vector) => {
    const { userVerification } = claimsOf(vector) as { userVerification?: UserVerification };
    await device().unregister(async () => await Promise.resolve(userVerification));
  },
};

/** What the device knows of the challenge. */
function challengeOf({ challenge }: Vector): Challenge {
  if (!challenge) throw new Error('The vector has no challenge');
  return { ...challenge, expiresInMs: Date.parse(challenge.expiresAt) - Date.parse(challenge.createdAt) };
}

function answerOf(vector: Vector): Answer {
  const { decision, reason, number, userVerification } = claimsOf(vector);
  return JSON.parse(JSON.stringify({ decision, reason, number, userVerification })) as Answer;
}

/** Does what the vector does, with its key and at its time. */
async function play(kind: MessageKind, file: VectorFile, vector: Vector) {
  const { calls, fetch } = serviceOf(vector);
  const issuedAt = Number(claimsOf(vector)['iat']) * 1000;
  const options = { key: deviceKey(vector.key), fetch, now: () => issuedAt };
  const device = () => {
    if (!file.device) throw new Error('The device is not enrolled');
    return new Device({ identity: { ...identityOf(file.device), baseUrl: file.baseUrl }, ...options });
  };
  const enrol = async () => {
    const { code, ...described } = claimsOf(vector);
    const description = described as DeviceDescription;
    return await Device.enrol({ baseUrl: file.baseUrl, code: String(code) }, description, options);
  };
  const result = await actions[kind](device, vector, enrol);
  return { result, calls };
}

const identityOf = ({ deviceId, tenantId, userId }: NonNullable<VectorFile['device']>) => ({
  deviceId,
  tenantId,
  userId,
});

describe.each(messageKinds)('%s', (kind) => {
  const file = messageFile(kind);
  const good = file.vectors.filter((vector) => isGood(vector) && isOwnForm(vector));

  test.each(good.map((vector) => [vector.name, vector] as const))(
    '"%s" is what the package sends',
    async (_, vector) => {
      const { calls, result } = await play(kind, file, vector);
      const [{ url, method, headers, body } = { url: '', method: '', headers: new Headers(), body: '' }] =
        calls;
      const path = file.call.path.replace('{challengeId}', String(claimsOf(vector)['challengeId']));
      expect([calls.length, method, url]).toEqual([1, file.call.method, `${file.baseUrl}${path}`]);
      const isBody = file.call.jwsIn === 'the body';
      if (isBody) expect(headers.get('content-type')).toBe(file.call.contentType);
      const jws = isBody ? body : (headers.get('authorization') ?? '').replace(/^OMI-Device /, '');
      expect(decodeProtectedHeader(jws)).toEqual(vector.header);
      expect(decodeJwt(jws)).toEqual({ ...vector.claims, jti: expect.any(String) });
      expect(Object.keys(decodeJwt(jws)).sort()).toEqual(Object.keys(claimsOf(vector)).sort());
      const { body: answer } = vector.expected;
      if (answer) expect(result).toMatchObject((answer['challenges'] as object | undefined) ?? answer);
    },
  );
});

test('each refusal of an answer is an error with its code', async () => {
  const file = messageFile('response');
  const refused = file.vectors.filter(
    ({ expected: { status }, claims, challenge }) =>
      status >= 404 &&
      claims?.['messageHash'] === challenge?.messageHash &&
      claims?.['detailsHash'] === challenge?.detailsHash &&
      claims?.['contextHash'] === challenge?.contextHash &&
      claims?.['challengeId'] === challenge?.challengeId,
  );
  expect(new Set(refused.map(({ expected }) => expected.code))).toEqual(
    new Set([
      'already-decided',
      'challenge-expired',
      'number-required',
      'wrong-number',
      'challenge-not-found',
      'too-large',
    ]),
  );
  for (const vector of refused) {
    const { code, status } = vector.expected;
    await expect(play('response', file, vector)).rejects.toMatchObject({ name: 'DeviceError', code, status });
  }
});

test('a wrong clock is reported, and the message signed again with the time of the service', async () => {
  const file = messageFile('request');
  const skewed = file.vectors.find(({ name }) => name === 'iat 301 s old');
  if (!skewed || !file.device) throw new Error('There is no such vector');
  const issuedAt: unknown[] = [];
  const { serverTime = '' } = skewed.expected;
  const fetch = async (_: unknown, init?: RequestInit) => {
    const jws = (new Headers(init?.headers).get('authorization') ?? '').replace(/^OMI-Device /, '');
    issuedAt.push(decodeJwt(jws).iat);
    const [status, body] = issuedAt.length > 1 ? [200, { challenges: [] }] : [401, skewed.expected];
    return await Promise.resolve(new Response(JSON.stringify(body), { status }));
  };
  const device = new Device({
    identity: { ...identityOf(file.device), baseUrl: file.baseUrl },
    key: deviceKey(skewed.key),
    fetch,
    now: () => Number(claimsOf(skewed)['iat']) * 1000,
  });
  await device.challenges();
  expect(issuedAt).toEqual([claimsOf(skewed)['iat'], serviceTimeOf(skewed) / 1000]);
  expect(serverTime).toBe(new Date(serviceTimeOf(skewed)).toISOString());
});

type LinkVector = { name: string; text: string; baseUrl?: string; expected: Record<string, string> };
const links = (readVectors('enrolment-link') as { vectors: LinkVector[] }).vectors;

test.each(links.map((link) => [link.name, link] as const))(
  'the link: %s',
  (_, { text, baseUrl, expected }) => {
    let outcome: unknown;
    try {
      outcome = scan(text, baseUrl === undefined ? {} : { baseUrl });
    } catch (error) {
      outcome = error instanceof DeviceError ? { error: error.code } : error;
    }
    expect(outcome).toEqual(expected);
  },
);

type MessageVector = { name: string; message: string; utf8: string; messageHash: string };
const messages = (readVectors('message-hash') as { vectors: MessageVector[] }).vectors;

describe.each(messages.map((message) => [message.name, message] as const))('the message: %s', (_, vector) => {
  const file = messageFile('response');
  const template = file.vectors.find(({ name }) => name === 'a confirmation');

  const sign = async (messageHash: string) => {
    if (!template) throw new Error('There is no such vector');
    const { challenge } = template;
    const { message } = vector;
    const changed = { ...template, ...(challenge && { challenge: { ...challenge, message, messageHash } }) };
    return await play('response', file, changed);
  };

  test('has the hash of its bytes', async () => {
    expect(Buffer.from(vector.message, 'utf8').toString('hex')).toBe(vector.utf8);
    const { calls } = await sign(vector.messageHash);
    expect(decodeJwt(calls[0]?.body ?? '')['messageHash']).toBe(vector.messageHash);
  });

  test('has the only hash that the package signs', async () => {
    const [other] = messages.filter(({ messageHash }) => messageHash !== vector.messageHash);
    await expect(sign(other?.messageHash ?? '')).rejects.toMatchObject({ code: 'message-mismatch' });
  });
});

type AssertionVector = {
  challengeId: string;
  messageHash: string;
  contextHash: string;
  decision: 'confirm' | 'deny';
  challenge: string;
};
const assertions = (readVectors('user-verification') as { assertionChallenges: AssertionVector[] })
  .assertionChallenges;

test.each(assertions)(
  'the challenge of an assertion: $decision',
  async ({ decision, challenge, ...hashes }) => {
    expect(base64url(await assertionChallenge(hashes, decision))).toBe(challenge);
  },
);

type RemovalVector = { deviceId: string; jti: string; challenge: string };
const removals = (readVectors('unregister') as { assertionChallenges: RemovalVector[] }).assertionChallenges;

test.each(removals)(
  'the challenge of an assertion for the removal of $deviceId',
  async ({ deviceId, jti, challenge }) => {
    expect(base64url(await removalChallenge(deviceId, jti))).toBe(challenge);
  },
);

test('the challenge of a removal is that of the jti that the package sends', async () => {
  const file = messageFile('unregister');
  const vector = file.vectors.find(({ name }) => name === 'a verified user');
  if (!vector || !file.device) throw new Error('There is no such vector');
  const { calls, fetch } = serviceOf(vector);
  const identity = { ...identityOf(file.device), baseUrl: file.baseUrl };
  const { userVerification } = claimsOf(vector) as { userVerification: UserVerification };
  const asked: string[] = [];
  await new Device({ identity, key: deviceKey(vector.key), fetch }).unregister(async (challenge) => {
    asked.push(base64url(challenge));
    return await Promise.resolve(userVerification);
  });
  const jws = (calls[0]?.headers.get('authorization') ?? '').replace(/^OMI-Device /, '');
  const sent = decodeJwt(jws);
  expect(sent['userVerification']).toEqual(userVerification);
  expect(asked).toEqual([base64url(await removalChallenge(identity.deviceId, sent.jti ?? ''))]);
});
