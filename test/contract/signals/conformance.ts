/**
 * The modules of the OpenID Foundation's conformance suite for transmitters, by the names of their classes: its test plans
 * `openid-ssf-transmitter-test-plan` and `openid-ssf-transmitter-caep-test-plan`
 * (https://gitlab.com/openid/conformance-suite, `net.openid.conformance.openid.ssf`). `OIDSSFStreamSubjectControlHappyPathTest`
 * is for transmitters with endpoints for subjects, which are optional.
 */
import { createPublicKey, randomUUID, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import * as v from 'valibot';
import { WebsiteClient } from '../../../client/website-client.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { callAs } from '../exports-api/tenant-console.ts';
import { enrolDevice, newUser, openChallenge, push as ask } from '../scenario.ts';
import {
  credentialChange,
  keySetOf,
  metadataOf,
  poll,
  push,
  ReceivingTenant,
  riskLevelChange,
  verification,
  type Signal,
  type StreamConfiguration,
} from './receiving-tenant.ts';

const supported = [credentialChange, riskLevelChange];
const requested = { events_requested: supported, description: 'Stream of a conformance test' };
const broken = ';{ broken';
const deliveries = [push, poll] as const;

const kidOf = (token: string): unknown =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: unknown }).kid;

export function conformance(stack: TestStack): void {
  let tenant: ReceivingTenant;
  let receiver: Receiver;
  beforeAll(async () => {
    [tenant, receiver] = await Promise.all([ReceivingTenant.open(stack), Receiver.start()]);
  });
  afterAll(async () => await receiver.close());

  const deliveryBy = (method: string, more: object = {}) =>
    method === push ? { method, endpoint_url: receiver.url, ...more } : { method };

  /** A client has few streams, so each test ends its own. */
  async function withStream(
    method: string,
    play: (created: StreamConfiguration) => Promise<void>,
    more: object = {},
  ): Promise<void> {
    const created = await tenant.createStream({ ...requested, delivery: deliveryBy(method, more) });
    try {
      await play(created);
    } finally {
      expect(await tenant.delete(created.stream_id)).toMatchObject({ status: 204 });
    }
  }

  /** Calls as the suite makes them with a token that the service does not know. */
  const stranger = () =>
    new WebsiteClient({ baseUrl: stack.file.baseUrl, token: async () => await Promise.resolve('invalid') });

  async function expectUnauthorized(method: string, query: string, json?: object): Promise<void> {
    const path = `/omi/ssf/stream${query}`;
    const { status } = await callAs(stranger(), { method, path, ...(json && { json }) });
    expect(status).toBe(401);
  }

  async function expectBroken(method: string): Promise<void> {
    const call = {
      ...{ method, path: '/omi/ssf/stream', body: broken },
      headers: { 'content-type': 'application/json' },
    };
    const { status } = await tenant.client.call(call, v.unknown());
    expect(status).toBe(400);
  }

  test('OIDSSFTransmitterMetadataTest', async () => {
    const metadata = await metadataOf(stack.file);
    expect(metadata).toStrictEqual({
      spec_version: '1_0',
      issuer: stack.file.baseUrl,
      jwks_uri: expect.stringMatching(/^http/),
      delivery_methods_supported: [push, poll],
      configuration_endpoint: expect.stringMatching(/^http/),
      status_endpoint: expect.stringMatching(/^http/),
      verification_endpoint: expect.stringMatching(/^http/),
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
      default_subjects: 'ALL',
    });
    const { keys } = await keySetOf(metadata);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String) });
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(Buffer.from(key.n ?? '', 'base64url').length).toBeGreaterThanOrEqual(256);
    }
  });

  describe.each(deliveries)('by %s', (method) => {
    test('OIDSSFStreamControlHappyPathTest', async () => {
      const created = await tenant.createStream({ ...requested, delivery: deliveryBy(method) });
      const { stream_id: streamId } = created;
      expect(created).toStrictEqual({
        stream_id: expect.stringMatching(/^[A-Za-z0-9._~-]+$/),
        iss: stack.file.baseUrl,
        aud: tenant.clientId,
        events_supported: supported,
        events_requested: supported,
        events_delivered: supported,
        delivery: {
          method,
          endpoint_url: method === push ? receiver.url : expect.stringContaining(streamId),
        },
        description: requested.description,
      });
      expect(await tenant.read(streamId)).toMatchObject({ status: 200, body: created });
      const update = { ...created, description: 'Updated Stream' };
      expect(await tenant.configure('PATCH', update)).toMatchObject({ status: 200, body: update });
      const replacement = {
        ...{ stream_id: streamId, delivery: deliveryBy(method) },
        ...{ events_requested: [credentialChange], description: 'Replaced Stream' },
      };
      const replaced = await tenant.configure('PUT', replacement);
      expect(replaced).toMatchObject({ status: 200, body: { description: 'Replaced Stream' } });
      expect(replaced.body).toMatchObject({ events_delivered: [credentialChange] });
      expect(await tenant.readStatus(streamId)).toMatchObject({ status: 200, body: { status: 'enabled' } });
      for (const status of ['enabled', 'paused', 'disabled']) {
        const reason = `Updated Stream status to ${status}`;
        const answer = await tenant.setStatus(streamId, status, reason);
        expect(answer).toMatchObject({ status: 200, body: { stream_id: streamId, status, reason } });
      }
      expect(await tenant.delete(streamId)).toMatchObject({ status: 204 });
      expect(await tenant.read(streamId)).toMatchObject({ status: 404 });
    });
  });

  test('OIDSSFStreamControlNegativeTestCreateStreamWithBrokenInput', async () => {
    await expectBroken('POST');
  });

  test('OIDSSFStreamControlNegativeTestCreateStreamWithInvalidAccessToken', async () => {
    await expectUnauthorized('POST', '', requested);
  });

  test('OIDSSFStreamControlNegativeTestCreateStreamWithDuplicateConfig', async () => {
    await withStream(poll, async (one) => {
      await withStream(poll, async (other) => {
        expect(other.stream_id).not.toBe(one.stream_id);
        const { body } = await tenant.read();
        const ids = (body as StreamConfiguration[]).map(({ stream_id: id }) => id);
        expect(ids).toEqual(expect.arrayContaining([one.stream_id, other.stream_id]));
      });
    });
  });

  test('OIDSSFStreamControlNegativeTestReadStreamWithInvalidAccessToken', async () => {
    await expectUnauthorized('GET', `?stream_id=${randomUUID()}`);
  });

  test('OIDSSFStreamControlNegativeTestReadUnknownStream', async () => {
    expect(await tenant.read(randomUUID())).toMatchObject({ status: 404 });
    expect(await tenant.read('unknown stream')).toMatchObject({ status: 404 });
  });

  test('OIDSSFStreamControlNegativeTestUpdateStreamWithInvalidToken', async () => {
    await expectUnauthorized('PATCH', '', { stream_id: randomUUID() });
  });

  test('OIDSSFStreamControlNegativeTestUpdateStreamWithInvalidBody', async () => {
    await expectBroken('PATCH');
  });

  test('OIDSSFStreamControlNegativeTestUpdateUnknownStream', async () => {
    const update = { ...requested, stream_id: randomUUID() };
    expect(await tenant.configure('PATCH', update)).toMatchObject({ status: 404 });
  });

  test('OIDSSFStreamControlNegativeTestReplaceStreamWithInvalidBody', async () => {
    await expectBroken('PUT');
  });

  test('OIDSSFStreamControlNegativeTestReplaceStreamWithInvalidToken', async () => {
    await expectUnauthorized('PUT', '', { stream_id: randomUUID() });
  });

  test('OIDSSFStreamControlNegativeTestReplaceUnknownStream', async () => {
    const replacement = { ...requested, stream_id: randomUUID(), delivery: deliveryBy(push) };
    expect(await tenant.configure('PUT', replacement)).toMatchObject({ status: 404 });
  });

  test('OIDSSFStreamControlNegativeTestDeleteStreamWithInvalidAccessToken', async () => {
    await expectUnauthorized('DELETE', `?stream_id=${randomUUID()}`);
  });

  test('OIDSSFStreamControlNegativeTestDeleteUnknownStream', async () => {
    expect(await tenant.delete(randomUUID())).toMatchObject({ status: 404 });
  });

  /** The calls of the receiver for a stream, as signals. Each was verified. */
  async function pushed({ stream_id: streamId }: StreamConfiguration): Promise<Signal[]> {
    const signals = await Promise.all(receiver.calls.map(async ({ text }) => await tenant.verified(text)));
    return signals.filter(({ sub_id: subject }) => subject.id === streamId);
  }

  function expectVerification(signal: Signal | undefined, streamId: string, state: string): void {
    expect(signal).toStrictEqual({
      iss: stack.file.baseUrl,
      jti: expect.any(String),
      iat: expect.any(Number),
      aud: tenant.clientId,
      sub_id: { format: 'opaque', id: streamId },
      events: { [verification]: { state } },
    });
    expect(signal?.iat).toBeLessThanOrEqual(Date.now() / 1000);
  }

  async function expectPushedVerification(created: StreamConfiguration): Promise<Record<string, string>> {
    const state = randomUUID();
    const begun = receiver.calls.length;
    expect(await tenant.requestVerification(created.stream_id, state)).toMatchObject({ status: 204 });
    await until(async () => (await pushed(created)).length > 0);
    const [signal] = await pushed(created);
    expectVerification(signal, created.stream_id, state);
    const { headers = {} } = receiver.calls[begun] ?? {};
    expect(headers).toMatchObject({ 'content-type': 'application/secevent+jwt', accept: 'application/json' });
    return headers;
  }

  test('OIDSSFTransmitterStreamVerificationPushTest', async () => {
    const header = 'Bearer of-the-receiver';
    await withStream(
      push,
      async (created) => {
        expect(created.delivery).not.toHaveProperty('authorization_header');
        expect(await expectPushedVerification(created)).toHaveProperty('authorization', header);
      },
      { authorization_header: header },
    );
  });

  test('OIDSSFTransmitterStreamVerificationPushNoAuthTest', async () => {
    await withStream(push, async (created) => {
      expect(await expectPushedVerification(created)).not.toHaveProperty('authorization');
    });
  });

  test('OIDSSFTransmitterStreamVerificationPollOnlyTest', async () => {
    await withStream(poll, async (created) => {
      const state = randomUUID();
      expect(await tenant.requestVerification(created.stream_id, state)).toMatchObject({ status: 204 });
      const [signal] = await tenant.untilPolled(created, 1);
      expectVerification(signal, created.stream_id, state);
    });
  });

  test('OIDSSFTransmitterStreamVerificationPollAndAckTest', async () => {
    await withStream(poll, async (created) => {
      await tenant.requestVerification(created.stream_id, 'first');
      const [first] = await tenant.untilPolled(created, 1);
      await tenant.requestVerification(created.stream_id, 'second');
      await tenant.untilPolled(created, 2);
      const { signals } = await tenant.poll(created, { maxEvents: 10, ack: [first?.jti] });
      expect(signals).toHaveLength(1);
      expectVerification(signals[0], created.stream_id, 'second');
    });
  });

  test('OIDSSFTransmitterStreamVerificationAckOnlyTest', async () => {
    await withStream(poll, async (created) => {
      await tenant.requestVerification(created.stream_id, 'first');
      const found = await tenant.untilPolled(created, 1);
      const ack = found.map(({ jti }) => jti);
      expect((await tenant.poll(created, { maxEvents: 0, ack })).signals).toEqual([]);
      expect((await tenant.poll(created)).signals).toEqual([]);
    });
  });

  describe.each(deliveries)('by %s', (method) => {
    test('OIDSSFTransmitterStreamCaepInteropTest', async () => {
      await withStream(method, async (created) => {
        const userId = newUser();
        const device = await enrolDevice(tenant.client, userId);
        await ask(tenant.client, device);
        await device.deny(await openChallenge(device), 'not_me');
        await device.remove();
        const signals = await signalsOf(method, created, userId, 3);
        const subject = { format: 'iss_sub', iss: stack.file.baseUrl, sub: userId };
        for (const signal of signals) {
          expect(Object.keys(signal.events)).toHaveLength(1);
          expect(signal).toMatchObject({ iss: created.iss, aud: created.aud, sub_id: subject });
          for (const forbidden of ['sub', 'exp']) expect(signal).not.toHaveProperty(forbidden);
        }
        const common = {
          event_timestamp: expect.any(Number),
          initiating_entity: expect.stringMatching(/^(?:admin|user|policy|system)$/),
          reason_admin: { en: expect.any(String) },
        };
        const credential = { credential_type: 'app', ...common };
        const events = signals.map((signal) => signal.events);
        expect(events).toContainEqual({ [credentialChange]: { change_type: 'create', ...credential } });
        expect(events).toContainEqual({ [credentialChange]: { change_type: 'delete', ...credential } });
        expect(events).toContainEqual({
          [riskLevelChange]: {
            ...{ principal: 'USER', current_level: 'HIGH', risk_reason: expect.any(String) },
            ...common,
          },
        });
      });
    });
  });

  async function signalsOf(
    method: string,
    created: StreamConfiguration,
    userId: string,
    count: number,
  ): Promise<Signal[]> {
    if (method === poll) return await tenant.untilPolled(created, count);
    const about = async (): Promise<Signal[]> =>
      (await Promise.all(receiver.calls.map(async ({ text }) => await tenant.verified(text)))).filter(
        ({ sub_id: subject }) => subject.sub === userId,
      );
    await until(async () => (await about()).length >= count);
    return await about();
  }

  test('another library than the one of the other tests verifies the signals, too', async () => {
    await withStream(push, async (created) => {
      await expectPushedVerification(created);
      const token = receiver.calls.at(-1)?.text ?? '';
      const { keys } = await keySetOf(tenant.metadata);
      const kid = kidOf(token);
      const key = createPublicKey({
        key: keys.find((one) => one.kid === kid) as JsonWebKey,
        format: 'jwk',
      });
      const expected = {
        algorithms: ['RS256'],
        complete: true,
        issuer: stack.file.baseUrl,
        audience: tenant.clientId,
      } as const;
      expect(jsonwebtoken.verify(token, key, expected)).toMatchObject({
        header: { alg: 'RS256', typ: 'secevent+jwt', kid },
        payload: { events: { [verification]: {} } },
      });
      const [head = '', , signature = ''] = token.split('.');
      const forged = [head, Buffer.from('{"iss":"x"}').toString('base64url'), signature].join('.');
      expect(() => jsonwebtoken.verify(forged, key, expected)).toThrow('invalid signature');
    });
  });
}
