import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { jsonOn } from '../../cli/omi.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice } from '../scenario.ts';
import {
  credentialChange,
  poll,
  push,
  ReceivingTenant,
  riskLevelChange,
  type StreamConfiguration,
} from './receiving-tenant.ts';

const url = 'http://127.0.0.1:9/events';
const most = 10;

export function configuration(stack: TestStack): void {
  let tenant: ReceivingTenant;
  beforeAll(async () => {
    tenant = await ReceivingTenant.open(stack);
  });
  afterEach(async () => {
    for (const { stream_id: id } of await streams()) await tenant.delete(id);
  });

  const streams = async (): Promise<StreamConfiguration[]> =>
    (await tenant.read()).body as StreamConfiguration[];

  async function expectRefused(method: string, request: object, pointer: string): Promise<void> {
    const { status, body } = await tenant.configure(method, request);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    const { errors } = body as { errors: { pointer: string }[] };
    expect(errors.map((fault) => fault.pointer)).toContain(pointer);
  }

  test('is polled if the receiver does not say how signals reach it', async () => {
    const { delivery } = await tenant.createStream();
    expect(delivery.method).toBe(poll);
  });

  test('delivers what is supported and requested, and ignores unknown types', async () => {
    const unknown = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
    const events = [unknown, riskLevelChange];
    expect(await tenant.createStream({ events_requested: events })).toMatchObject({
      events_requested: events,
      events_delivered: [riskLevelChange],
    });
    expect(await tenant.createStream({ events_requested: [unknown] })).toMatchObject({
      events_delivered: [],
    });
    const all = await tenant.createStream();
    expect(all.events_delivered).toEqual([credentialChange, riskLevelChange]);
    expect(all).not.toHaveProperty('events_requested');
  });

  test(`allows ${most} streams of a client, also if it makes them at once`, async () => {
    const made = await Promise.all(
      Array.from({ length: most + 3 }, async () => await tenant.configure('POST', {})),
    );
    const byStatus = Map.groupBy(made, ({ status }) => status);
    expect(byStatus.get(201)?.length).toBe(most);
    for (const { body } of byStatus.get(409) ?? [])
      expect(['too-many-streams']).toContain((body as { code: string }).code);
    expect(await streams()).toHaveLength(most);
    const [first] = await streams();
    await tenant.delete(first?.stream_id ?? '');
    expect(await tenant.configure('POST', {})).toMatchObject({ status: 201 });
  });

  test('belongs to the client that made it', async () => {
    const { stream_id: streamId, delivery } = await tenant.createStream();
    const [neighbour, stranger] = [await tenant.neighbour(), await ReceivingTenant.open(stack)];
    for (const other of [neighbour, stranger]) {
      expect(await other.read()).toMatchObject({ status: 200, body: [] });
      const answers = [
        await other.read(streamId),
        await other.configure('PATCH', { stream_id: streamId, description: 'mine' }),
        await other.configure('PUT', { stream_id: streamId }),
        await other.readStatus(streamId),
        await other.setStatus(streamId, 'disabled'),
        await other.requestVerification(streamId),
        await other.call('POST', delivery.endpoint_url, {}),
        await other.delete(streamId),
      ];
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 404, body: { code: 'stream-not-found' } });
    }
    expect(await tenant.readStatus(streamId)).toMatchObject({ body: { status: 'enabled' } });
  });

  test('ends with its client', async () => {
    const receiver = await Receiver.start();
    const neighbour = await tenant.neighbour();
    await neighbour.createStream({ delivery: { method: push, endpoint_url: receiver.url } });
    const own = await tenant.createStream();
    await jsonOn(stack)('client', 'delete', neighbour.clientId, '--yes');
    await enrolDevice(tenant.client);
    await tenant.untilPolled(own, 1);
    expect(receiver.calls).toEqual([]);
    await receiver.close();
  });

  test('is only read with the scope ssf.read: neither changed nor polled, which acknowledges', async () => {
    const created = await tenant.createStream();
    const reader = await ReceivingTenant.open(stack, ['ssf.read']);
    expect(await reader.read()).toMatchObject({ status: 200 });
    expect(await reader.readStatus(created.stream_id)).toMatchObject({ status: 404 });
    expect(await reader.configure('POST', {})).toMatchObject({ status: 403 });
    expect(await reader.setStatus(created.stream_id, 'paused')).toMatchObject({ status: 403 });
    const polled = await reader.call('POST', created.delivery.endpoint_url, { ack: [] });
    expect(polled).toMatchObject({ status: 403 });
  });

  describe('refuses', () => {
    test.each([['https://10.0.0.1/events']])(
      'a push to %s, where no callback may go',
      async (endpoint_url) => {
        await expectRefused('POST', { delivery: { method: push, endpoint_url } }, '/delivery/endpoint_url');
      },
    );

    test.each(['PATCH', 'PUT'])('a %s that changes what only the service supplies', async (method) => {
      const { stream_id } = await tenant.createStream();
      for (const [name, value] of Object.entries({
        iss: 'https://other.example',
        aud: 'other',
        events_supported: [],
        events_delivered: ['urn:other'],
      }))
        await expectRefused(method, { stream_id, [name]: value }, `/${name}`);
      const endpoint_url = 'https://receiver.example.com/poll';
      await expectRefused(
        method,
        { stream_id, delivery: { method: poll, endpoint_url } },
        '/delivery/endpoint_url',
      );
      await expectRefused(method, {}, '/stream_id');
    });

    test('an unknown status', async () => {
      const { stream_id: streamId } = await tenant.createStream();
      expect(await tenant.setStatus(streamId, 'stopped')).toMatchObject({ status: 400 });
      expect(await tenant.setStatus(randomUUID(), 'paused')).toMatchObject({ status: 404 });
    });

    test('a verification of a disabled stream', async () => {
      const { stream_id: streamId } = await tenant.createStream();
      await tenant.setStatus(streamId, 'disabled');
      expect(await tenant.requestVerification(streamId)).toMatchObject({
        status: 409,
        body: { code: 'stream-disabled' },
      });
    });
  });

  test('keeps what a PATCH does not name, and forgets it at a PUT', async () => {
    const delivery = { method: push, endpoint_url: url };
    const created = await tenant.createStream({
      ...{ delivery, events_requested: [credentialChange], description: 'first' },
    });
    const { stream_id } = created;
    const patched = await tenant.configure('PATCH', { stream_id, description: 'second' });
    expect(patched.body).toStrictEqual({ ...created, description: 'second' });
    const { body } = await tenant.configure('PUT', { stream_id });
    expect(body).toStrictEqual({
      ...{ stream_id, iss: created.iss, aud: created.aud },
      events_supported: created.events_supported,
      events_delivered: created.events_supported,
      delivery: { method: poll, endpoint_url: expect.stringContaining(stream_id) },
    });
    expect(await tenant.read(stream_id)).toMatchObject({ body: body as object });
  });

  test('keeps the header of pushes to the same URL, and sends it to no other', async () => {
    const [one, other] = [await Receiver.start(), await Receiver.start()];
    const to = (receiver: Receiver) => ({ method: push, endpoint_url: receiver.url });
    const { stream_id, ...read } = await tenant.createStream({
      delivery: { ...to(one), authorization_header: 'Bearer secret' },
    });
    const headerAt = async (receiver: Receiver): Promise<string | undefined> => {
      const before = receiver.calls.length;
      await tenant.requestVerification(stream_id);
      await until(() => receiver.calls.length > before);
      return receiver.calls.at(-1)?.headers['authorization'];
    };
    await tenant.configure('PATCH', { stream_id, ...read, description: 'as it was read' });
    expect(await headerAt(one)).toBe('Bearer secret');
    await tenant.configure('PATCH', { stream_id, delivery: to(other) });
    expect(await headerAt(other)).toBeUndefined();
    await tenant.configure('PATCH', {
      stream_id,
      delivery: { ...to(one), authorization_header: 'Bearer b' },
    });
    expect(await headerAt(one)).toBe('Bearer b');
    await tenant.configure('PUT', { stream_id, delivery: to(one) });
    expect(await headerAt(one)).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  });
}
