import { randomUUID } from 'node:crypto';
import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { describeTargetStatus } from '../../../../../core/export/targets/target-status.ts';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { pack } from '../../../../../core/export/delivery/packing.ts';
import type { BusDestination } from '../../../../../core/export/kinds/bus/record.ts';
import type { BusEvent } from '../../../../../tools/local/aws/stand-ins/eventbridge/backend.ts';
import { sentTo } from '../../../../../tools/local/client/sent-to-bus.ts';
import { ExportWorld } from '../../../../support/export-world.ts';
import { trustPolicyOf } from '../../../../support/trust-policy.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

/** A tenant of its own with a bus of its own, which is active. */
async function busTarget() {
  const ref: TargetRef = { tenantId: randomUUID(), category: 'public' };
  const name = `bus-${ref.tenantId}`;
  await new EventBridgeClient({}).send(new CreateEventBusCommand({ Name: name }));
  const externalId = randomUUID();
  const roleArn = `arn:aws:iam::000000000000:role/${ref.tenantId}`;
  const trustPolicy = trustPolicyOf({ principal: '000000000000', externalId });
  world.cloud.roles.put({ arn: roleArn, trustPolicy });
  const busArn = `arn:aws:events:${world.cloud.region}:000000000000:event-bus/${name}`;
  const destination: BusDestination = { kind: 'bus', busArn, roleArn, externalId };
  await world.deps.targets.register(ref, destination, Date.now());
  await world.validate(ref);
  return { ref, name, busArn };
}

const eventOf = (n: number, filler = ''): string =>
  JSON.stringify({ metadata: { type: n % 2 ? 'UserCreatedEvent' : 'UserDeletedEvent', n }, payload: filler });

const recordsOf = (events: readonly string[]) =>
  pack(
    events.map((event, index) => ({ orderingKey: String(index), event })),
    { lanes: 1, lineEnd: '', limits: { events: 100, bytes: 256 * 1024 } },
  ).records;

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => eventOf(n));

const deliver = async (ref: TargetRef, events: readonly string[], ms = 20_000) =>
  await world.deps.writers.bus.deliver(await world.target(ref), recordsOf(events), Date.now() + ms);

const sent = async (busArn: string): Promise<BusEvent[]> =>
  await sentTo(world.cloud.endpoints.eventbridge, busArn);

const detailsOn = async (busArn: string): Promise<string[]> =>
  (await sent(busArn)).map(({ detail }) => detail).sort();

describe('a bus', () => {
  test('gets each event by itself, as it was recorded, with its type', async () => {
    const { ref, name, busArn } = await busTarget();
    // A number that JavaScript cannot hold stays as the producer wrote it.
    const exact = '{"metadata":{"type":"UserCreatedEvent"},"payload":{"n":12345678901234567890.10}}';
    expect(await deliver(ref, [...numbered(24), exact])).toEqual({ undelivered: [] });
    const events = await sent(busArn);
    expect(events).toHaveLength(25);
    expect(events[0]).toEqual({
      bus: busArn,
      source: 'omi',
      detailType: 'UserDeletedEvent',
      detail: eventOf(0),
    });
    expect(events.at(-1)?.detail).toBe(exact);
    expect(world.callsOf('PutEvents', busArn)).toBe(3);
    expect(name).toContain(ref.tenantId);
  });

  test('gets again only the events that it refused', async () => {
    const { ref, name, busArn } = await busTarget();
    world.cloud.faults.add({
      service: 'eventbridge',
      fault: 'partial',
      ratio: 0.5,
      resource: name,
      times: 3,
    });
    expect(await deliver(ref, numbered(30))).toEqual({ undelivered: [] });
    expect(await detailsOn(busArn)).toEqual(numbered(30).sort());
  });

  test('leaves the events that it refuses until the end of the time, and no others', async () => {
    const { ref, name, busArn } = await busTarget();
    await deliver(ref, []);
    world.cloud.faults.add({
      service: 'eventbridge',
      fault: 'partial',
      ratio: 0.5,
      resource: name,
      times: 1,
    });
    const operation = 'PutEvents';
    world.cloud.faults.add({ service: 'eventbridge', operation, fault: 'throttle', resource: name });
    const { undelivered, fault } = await deliver(ref, numbered(10), 3_000);
    expect(fault).toMatchObject({ actor: 'nobody', code: 'ThrottlingException' });
    const left = undelivered.flatMap(
      ({ data }) => (JSON.parse(data.toString()) as { events: object[] }).events,
    );
    expect(undelivered.map(({ size }) => size)).toEqual([5]);
    expect([...(await detailsOn(busArn)), ...left.map((one) => JSON.stringify(one))].sort()).toEqual(
      numbered(10).sort(),
    );
  });

  describe('an event that it will never take', () => {
    const eventId = randomUUID();
    const long = JSON.stringify({ metadata: { type: `${'A'.repeat(124)}Event`, eventId } });
    const accepted = ({ tenantId }: TargetRef, events: readonly string[]) =>
      events.map((event, index) => {
        const sequence = String(index).padStart(20, '0');
        const text = { pk: `${tenantId}#a`, sk: randomUUID(), sequence, type: 'TestEvent', event };
        const NewImage = Object.fromEntries(Object.entries(text).map(([name, S]) => [name, { S }]));
        return { eventName: 'INSERT' as const, dynamodb: { SequenceNumber: sequence, NewImage } };
      });
    const events = [eventOf(0), long, eventOf(1)];
    const setAside = { acceptedCount: 3, deliveredCount: 2, parkedCount: 0, state: 'active' };

    test('is set aside with its id, and its neighbours arrive once', async () => {
      const { ref, busArn } = await busTarget();
      expect(await world.export(accepted(ref, events))).toEqual([]);
      const target = await world.target(ref);
      expect(target).toMatchObject({
        ...setAside,
        givenUp: [{ cause: 'refused', events: 1, eventIds: [eventId] }],
      });
      expect(describeTargetStatus(target, Date.now())).toMatchObject({
        ...{
          state: 'degraded',
          actor: 'operator',
          reason: expect.stringContaining('1 events were given up'),
        },
        givenUp: {
          count: 1,
          losses: [{ reason: expect.stringContaining('Undeliverable (InvalidArgument)') }],
        },
      });
      expect(await detailsOn(busArn)).toEqual([eventOf(0), eventOf(1)].sort());
      expect(world.callsOf('PutEvents', busArn)).toBe(1);
      expect((await world.receive()).length).toBe(0);
    });

    test('is set aside once where it waited, and again where it comes again', async () => {
      const { ref, busArn } = await busTarget();
      await world.deps.targets.transition(await world.target(ref), 'pause', Date.now());
      await world.export(accepted(ref, events));
      await world.deps.targets.transition(await world.target(ref), 'resume', Date.now());
      await world.drain(ref);
      expect(await world.target(ref)).toMatchObject({ ...setAside, givenUp: [{ events: 1 }] });
      expect(await detailsOn(busArn)).toEqual([eventOf(0), eventOf(1)].sort());
      await deliver(ref, [long]);
      await world.export(accepted(ref, [long]));
      expect(await world.target(ref)).toMatchObject({ givenUp: [{ events: 1, eventIds: [eventId] }] });
    });
  });

  test('takes events of the largest size that the service accepts', async () => {
    const { ref, busArn } = await busTarget();
    const largest = eventOf(1, 'x'.repeat(256 * 1024 - eventOf(1).length));
    expect(await deliver(ref, [eventOf(0), largest, eventOf(2)])).toEqual({ undelivered: [] });
    expect(await detailsOn(busArn)).toEqual([eventOf(0), eventOf(2), largest].sort());
  });

  test.each([
    ['access-denied', 'AccessDeniedException', /events:PutEvents/],
    ['not-found', 'ResourceNotFoundException', /create it again/],
  ] as const)('requires its tenant to act after %s', async (fault, code, reason) => {
    const { ref, name } = await busTarget();
    world.cloud.faults.add({ service: 'eventbridge', fault, resource: name });
    const { undelivered, fault: found } = await deliver(ref, numbered(3));
    expect(undelivered.map(({ size }) => size)).toEqual([3]);
    expect(found).toMatchObject({ actor: 'tenant', code, reason: expect.stringMatching(reason) });
  });
});
