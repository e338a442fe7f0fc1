/** The package signs what the good vectors say, reads what the service answers to them, and turns refusals into errors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { json, messagesOf, ScriptedService } from '../support/scripted-service.ts';
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
} from '../device/vectors/vectors.ts';
import type { KotlinProgram, Outcome } from './kotlin.ts';

const claimsOf = ({ claims = {} }: Vector) => claims;

/** What the device knows of the challenge. */
function challengeOf({ challenge }: Vector): object {
  if (!challenge) throw new Error('The vector has no challenge');
  return { ...challenge, expiresInMs: Date.parse(challenge.expiresAt) - Date.parse(challenge.createdAt) };
}

const tasks: Record<MessageKind, (vector: Vector) => [string, object]> = {
  enrolment: (vector) => ['enrol', { ...claimsOf(vector), description: claimsOf(vector) }],
  request: () => ['challenges', {}],
  'user-verification': (vector) => ['answer', { challenge: challengeOf(vector), answer: claimsOf(vector) }],
  response: (vector) => ['answer', { challenge: challengeOf(vector), answer: claimsOf(vector) }],
  'push-token': (vector) => ['refreshPushToken', { address: claimsOf(vector) }],
  'device-name': (vector) => ['rename', { name: claimsOf(vector)['name'] }],
  unregister: (vector) => ['unregister', { userVerification: claimsOf(vector)['userVerification'] }],
};

export function runsVectors(program: () => KotlinProgram): void {
  const service = new ScriptedService();
  beforeAll(async () => await service.start());
  afterAll(async () => await service.stop());

  const replyTo = ({ expected: { status, body, ...problem } }: Vector) =>
    json(status, (status < 300 ? body : problem) ?? '');

  /** Does what the vector does, with its key and at its time. */
  async function play(kind: MessageKind, file: VectorFile, vector: Vector): Promise<Outcome> {
    const connection = {
      ...{ device: 'phone', key: 'key', endpoint: service.url, baseUrl: file.baseUrl },
      now: Number(claimsOf(vector)['iat']) * 1000,
    };
    await program().result('jwk', { key: 'key', jwk: vector.key });
    if (file.device)
      await program().result('open', { ...connection, identity: { ...file.device, baseUrl: file.baseUrl } });
    const [task, given] = tasks[kind](vector);
    return await program().run(task, { ...given, ...connection });
  }

  describe.each(messageKinds)('%s', (kind) => {
    const file = messageFile(kind);
    const good = file.vectors.filter((vector) => isGood(vector) && isOwnForm(vector));

    test.each(good.map((vector) => [vector.name, vector] as const))(
      '"%s" is what the package sends',
      async (_, vector) => {
        service.reply(replyTo(vector));
        const { result, error } = await play(kind, file, vector);
        expect(error).toBeUndefined();
        const path = file.call.path.replace('{challengeId}', String(claimsOf(vector)['challengeId']));
        expect(service.requests).toMatchObject([{ method: file.call.method, path }]);
        if (file.call.contentType) expect(service.requests[0]?.type).toBe(file.call.contentType);
        const [jws = ''] = messagesOf(service);
        expect(decodeProtectedHeader(jws)).toEqual(vector.header);
        expect(decodeJwt(jws)).toEqual({ ...vector.claims, jti: expect.any(String) });
        const { kty, crv, x, y } = vector.key as JWK & { kty: string };
        await compactVerify(jws, await importJWK({ kty, crv, x, y } as JWK, 'ES256'));
        const { body } = vector.expected;
        if (kind === 'request') expect(result).toMatchObject(body?.['challenges'] as object);
        if (kind === 'enrolment') expect(body).toMatchObject(withoutBaseUrl(result));
        if (body?.['status']) expect(result).toBe(body['status']);
      },
    );

    const refused = file.vectors.filter((vector) => !isGood(vector));
    const distinct = new Map(refused.map((vector) => [JSON.stringify(vector.expected), vector]));
    const [template] = good;
    const isClock = ({ expected }: Vector): boolean => expected.code === 'clock-skew';

    test.each([...distinct.values()].filter((one) => !isClock(one)).map((one) => [one.name, one] as const))(
      '"%s" is refused, with the code of the service',
      async (_, vector) => {
        const { code, status } = vector.expected;
        service.reply(...Array.from({ length: 5 }, () => replyTo(vector)));
        const { error } = await play(kind, file, { ...vector, ...partsOf(template) });
        expect(error).toMatchObject({ code, status });
      },
    );
  });

  test('a wrong clock is reported, and the message signed again with the time of the service', async () => {
    const file = messageFile('request');
    const skewed = file.vectors.find(({ name }) => name === 'iat 301 s old');
    if (!skewed) throw new Error('There is no such vector');
    service.reply(replyTo(skewed), json(200, { challenges: [] }));
    expect(await play('request', file, skewed)).toEqual({ result: [] });
    const issuedAt = messagesOf(service).map((jws) => decodeJwt(jws).iat);
    expect(issuedAt).toEqual([claimsOf(skewed)['iat'], serviceTimeOf(skewed) / 1000]);
  });

  type LinkVector = { name: string; text: string; baseUrl?: string; expected: Record<string, string> };
  const links = (readVectors('enrolment-link') as { vectors: LinkVector[] }).vectors;

  test.each(links.map((link) => [link.name, link] as const))('the link: %s', async (_, vector) => {
    const { text, baseUrl, expected } = vector;
    const { result, error } = await program().run('scan', { text, baseUrl });
    expect(result ?? { error: error?.code }).toEqual(expected);
  });

  type MessageVector = { name: string; message: string; messageHash: string };
  const messages = (readVectors('message-hash') as { vectors: MessageVector[] }).vectors;

  test.each(messages.map((message) => [message.name, message] as const))(
    'the message: %s has its hash, and no other is signed',
    async (_, { message, messageHash }) => {
      expect(await program().result('hash', { text: message })).toBe(messageHash);
      const file = messageFile('response');
      const known = file.vectors.find(({ name }) => name === 'a confirmation');
      if (!known?.challenge) throw new Error('There is no such vector');
      service.reply(replyTo(known));
      const changed = { ...known, challenge: { ...known.challenge, message } };
      const other = await play('response', file, changed);
      const isSame = known.challenge.message === message;
      expect(other.error?.code).toBe(isSame ? undefined : 'message-mismatch');
      expect(service.requests).toHaveLength(isSame ? 1 : 0);
    },
  );

  const verifications = readVectors('user-verification') as { assertionChallenges: { challenge: string }[] };
  const removals = readVectors('unregister') as { assertionChallenges: { challenge: string }[] };

  test.each([
    ...verifications.assertionChallenges.map((vector) => ['assertionChallenge', vector] as const),
    ...removals.assertionChallenges.map((vector) => ['removalChallenge', vector] as const),
  ])('the WebAuthn challenge of a passkey: %s', async (task, { challenge, ...given }) => {
    expect(await program().result(task, given)).toBe(challenge);
  });

  test('the challenge of a removal is that of the jti that the package sends', async () => {
    const file = messageFile('unregister');
    const vector = file.vectors.find(({ name }) => name === 'a verified user');
    if (!vector || !file.device) throw new Error('There is no such vector');
    service.reply(replyTo(vector));
    const { result } = await play('unregister', file, vector);
    const { jti } = decodeJwt(messagesOf(service)[0] ?? '');
    const { deviceId } = file.device;
    expect(result).toBe(await program().result('removalChallenge', { deviceId, jti }));
  });
}

/** What a message is made of: that of a good one, as the device cannot make a bad one. */
function partsOf(vector: Vector | undefined): Partial<Vector> {
  if (vector === undefined) return {};
  const { key, claims, challenge } = vector;
  return { key, ...(claims && { claims }), ...(challenge && { challenge }) };
}

function withoutBaseUrl(identity: unknown): object {
  const { baseUrl: _, ...others } = identity as { baseUrl: string };
  return others;
}
