/** Signals arrive whatever is wrong with their receiver or the service for a while, and nowhere else. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localKeys } from '../../../tools/local/resources/kms-keys.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { jsonOn } from '../../cli/omi.ts';
import { accepting, answering, Receiver, type Behaviour } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, newUser, openChallenge, push as ask } from '../scenario.ts';
import {
  credentialChange,
  push,
  ReceivingTenant,
  riskLevelChange,
  type Signal,
  type StreamConfiguration,
} from './receiving-tenant.ts';

/** Long enough for what should not come. */
const quietMs = 3_000;

export function delivery(stack: TestStack): void {
  let tenant: ReceivingTenant;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    tenant = await ReceivingTenant.open(stack);
  });
  afterEach(async () => {
    for (const { stream_id: id } of (await tenant.read()).body as StreamConfiguration[])
      await tenant.delete(id);
    await Promise.all(receivers.splice(0).map(async (receiver) => await receiver.close()));
  });

  async function pushing(behave: Behaviour = accepting, more: object = {}) {
    const receiver = await Receiver.start(behave);
    receivers.push(receiver);
    const created = await tenant.createStream({
      delivery: { method: push, endpoint_url: receiver.url },
      ...more,
    });
    /** Those of the calls that were taken, without repetitions. */
    const signals = async (): Promise<Signal[]> => {
      const all = await Promise.all(receiver.calls.map(async ({ text }) => await tenant.verified(text)));
      return [...new Map(all.map((signal) => [signal.jti, signal])).values()];
    };
    return { receiver, created, signals };
  }

  /** A device's changes, as their receivers see them. */
  const changeOf = (signal: Signal): unknown => signal.events[credentialChange]?.['change_type'];

  async function enrolAndRemove(userId = newUser()): Promise<string> {
    const device = await enrolDevice(tenant.client, userId);
    await device.remove();
    return userId;
  }

  test('tells only of what the receiver requested, and of a denial only if the user did not ask', async () => {
    const { signals } = await pushing(accepting, { events_requested: [riskLevelChange] });
    const device = await enrolDevice(tenant.client);
    for (const reason of ['user_declined', 'not_me'] as const) {
      await ask(tenant.client, device);
      await device.deny(await openChallenge(device), reason);
    }
    await until(async () => (await signals()).length > 0);
    await wait(quietMs);
    const [signal, ...others] = await signals();
    expect(others).toEqual([]);
    expect(signal?.events).toHaveProperty([riskLevelChange, 'current_level'], 'HIGH');
  });

  test('reaches each stream of the tenant, and none of another', async () => {
    const [one, other] = [await pushing(), await tenant.createStream()];
    const stranger = await ReceivingTenant.open(stack);
    const foreign = await stranger.createStream();
    const userId = await enrolAndRemove();
    await until(async () => (await one.signals()).length === 2);
    const polled = await tenant.untilPolled(other, 2);
    for (const signals of [await one.signals(), polled]) {
      expect(signals.map(changeOf)).toEqual(['create', 'delete']);
      for (const signal of signals) expect(signal.sub_id.sub).toBe(userId);
    }
    expect((await stranger.poll(foreign)).signals).toEqual([]);
  });

  describe('arrives in order after a time in which', () => {
    const troubles: [string, Behaviour][] = [
      ['the receiver answers 500', answering(500)],
      [
        'the receiver hangs up',
        (response) => {
          response.destroy();
        },
      ],
    ];
    test.each(troubles)('%s', async (_, trouble) => {
      const { receiver, signals } = await pushing(trouble);
      const users = [await enrolAndRemove(), await enrolAndRemove()];
      await until(() => receiver.calls.length > 0);
      const taken = new Set<string>();
      receiver.behave = (response, call) => {
        taken.add(call.text);
        response.writeHead(202).end();
      };
      await until(async () => (await signals()).length === 4);
      await enrolAndRemove(users[0]);
      await until(async () => (await signals()).length === 6);
      const all = await signals();
      for (const userId of users) {
        const changes = all.filter(({ sub_id: subject }) => subject.sub === userId).map(changeOf);
        expect(changes.slice(0, 2).toSorted()).toEqual(['create', 'delete']);
      }
    });

    test('KMS signs nothing', async () => {
      const created = await tenant.createStream();
      const fault = {
        service: 'kms',
        operation: 'Sign',
        resource: localKeys.signals,
        fault: 'throttle',
      } as const;
      await withFault(stack.file, fault, async () => {
        await enrolAndRemove();
        await wait(quietMs);
        expect((await tenant.poll(created)).signals).toEqual([]);
      });
      expect((await tenant.untilPolled(created, 2)).map(changeOf)).toEqual(['create', 'delete']);
    });

    test('the table of signals is throttled', async () => {
      const created = await tenant.createStream();
      const writing = { service: 'dynamodb', operation: 'PutItem', resource: localTables.signals } as const;
      const fault = { ...writing, fault: 'throttle' } as const;
      await withFault(stack.file, fault, async () => {
        await enrolAndRemove();
        await wait(quietMs);
      });
      expect((await tenant.untilPolled(created, 2)).map(changeOf)).toEqual(['create', 'delete']);
    });
  });

  test('waits while the stream is paused, and comes when it is enabled', async () => {
    const pushed = await pushing();
    const polled = await tenant.createStream();
    for (const { stream_id: id } of [pushed.created, polled]) await tenant.setStatus(id, 'paused');
    await enrolAndRemove();
    await wait(quietMs);
    expect(pushed.receiver.calls).toEqual([]);
    expect((await tenant.poll(polled)).signals).toEqual([]);
    for (const { stream_id: id } of [pushed.created, polled]) await tenant.setStatus(id, 'enabled');
    await until(async () => (await pushed.signals()).length === 2);
    await tenant.untilPolled(polled, 2);
  });

  test('is discarded while the stream is disabled, with what waited', async () => {
    const pushed = await pushing();
    const polled = await tenant.createStream();
    const ids = [pushed.created.stream_id, polled.stream_id];
    const earlier = await enrolAndRemove();
    await tenant.untilPolled(polled, 2);
    for (const id of ids) await tenant.setStatus(id, 'disabled');
    expect((await tenant.poll(polled)).signals).toEqual([]);
    await enrolAndRemove();
    await wait(quietMs);
    for (const id of ids) await tenant.setStatus(id, 'enabled');
    const later = await enrolAndRemove();
    await until(async () => (await pushed.signals()).length >= 4);
    const subjects = new Set((await pushed.signals()).map(({ sub_id: subject }) => subject.sub));
    expect([...subjects].toSorted()).toEqual([earlier, later].toSorted());
    const found = await tenant.untilPolled(polled, 2);
    expect(found.map(({ sub_id: subject }) => subject.sub)).toEqual([later, later]);
  });

  test('ends a poll that waits', async () => {
    const created = await tenant.createStream();
    const begun = performance.now();
    const waiting = tenant.poll(created, { returnImmediately: false });
    await tenant.requestVerification(created.stream_id);
    expect((await waiting).signals).toHaveLength(1);
    const { signals } = await tenant.poll(created, { ack: (await waiting).signals.map(({ jti }) => jti) });
    expect(signals).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test('is replayed to one stream alone, with the same ids', async () => {
    const [one, other] = [await pushing(), await pushing()];
    const from = new Date().toISOString();
    await enrolAndRemove();
    await until(async () => (await one.signals()).length === 2 && (await other.signals()).length === 2);
    const before = other.receiver.calls.length;
    const range = ['--from', from, '--to', new Date().toISOString()];
    const stream = ['--stream', one.created.stream_id];
    await jsonOn(stack)('replay', tenant.tenantId, 'public', ...range, ...stream);
    await until(() => one.receiver.calls.length === 4);
    expect(await one.signals()).toHaveLength(2);
    expect(other.receiver.calls).toHaveLength(before);
  });
}
