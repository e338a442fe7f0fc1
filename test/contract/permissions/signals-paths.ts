import { Receiver, answering } from '../../support/receiver.ts';
import { expect } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice } from '../scenario.ts';
import { poll, push, ReceivingTenant } from '../signals/receiving-tenant.ts';
import { until } from '../../support/waiting.ts';

/** A stream in its whole life, by poll and by push, with what waits at its end. */
async function streamed(stack: TestStack): Promise<void> {
  const tenant = await ReceivingTenant.open(stack);
  const polled = await tenant.createStream({ delivery: { method: poll } });
  const { stream_id } = polled;
  await tenant.read();
  await tenant.read(stream_id);
  await enrolDevice(tenant.client);
  await tenant.requestVerification(stream_id);
  const found = await tenant.untilPolled(polled, 2);
  await tenant.poll(polled, { ack: found.slice(0, 1).map(({ jti }) => jti) });
  for (const status of ['paused', 'enabled', 'disabled', 'enabled'])
    await tenant.setStatus(stream_id, status);
  await tenant.readStatus(stream_id);
  const rest = await tenant.poll(polled);
  // With nothing left, it waits.
  await tenant.poll(polled, { ack: rest.signals.map(({ jti }) => jti), returnImmediately: false });
  await enrolDevice(tenant.client);
  await tenant.untilPolled(polled, 1);
  expect(await tenant.delete(stream_id)).toMatchObject({ status: 204 });
}

async function pushed(stack: TestStack): Promise<void> {
  const receiver = await Receiver.start(answering(500));
  const tenant = await ReceivingTenant.open(stack);
  const delivery = { method: push, endpoint_url: receiver.url, authorization_header: 'Bearer a' };
  const { stream_id } = await tenant.createStream({ delivery });
  await enrolDevice(tenant.client);
  await until(() => receiver.calls.length > 0);
  for (const method of ['PATCH', 'PUT'])
    expect(await tenant.configure(method, { stream_id, delivery })).toMatchObject({ status: 200 });
  const before = receiver.calls.length;
  receiver.behave = answering(202);
  await until(() => receiver.calls.length > before);
  await tenant.delete(stream_id);
  await receiver.close();
}

export const signalsPaths = [streamed, pushed];
