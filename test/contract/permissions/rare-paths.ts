import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { Notification } from '../../../client/contract.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { untilCalled } from '../../support/recorded-calls.ts';
import type { TestStack } from '../../support/stack.ts';
import { openBank } from '../approvals/bank.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  expectStatus,
  notification,
  openChallenge,
  push,
  pushAndConfirm,
  pushAndDeny,
  tryPush,
} from '../scenario.ts';
import { question } from '../website/groups.ts';
import { deleteEndpoint, disableEndpoint, makeDue, ringAlarm } from './operator.ts';

type Send = (device: SimulatedDevice, asked?: Notification) => ReturnType<typeof tryPush>;

/** The two ways to push, each a Lambda of its own. */
const sends = ({ website }: TestStack): Send[] => [
  async (device, asked) => await tryPush(website, device, asked),
  async ({ identity }, asked = notification()) => await website.sendToUser(identity.userId, asked),
];

async function limits(stack: TestStack): Promise<void> {
  for (const send of sends(stack)) {
    const device = await enrolDevice(stack.website);
    await pushAndDeny(stack.website, device, 'not_me');
    expectProblem(await send(device), 429, 'too-many-notifications');
  }
}

async function unreachable(stack: TestStack): Promise<void> {
  for (const send of sends(stack)) {
    const device = await enrolDevice(stack.website);
    await pushAndConfirm(stack.website, device);
    await disableEndpoint(stack, device);
    expect(succeeded(await send(device), 202).delivery).toBe('unreachable');
    succeeded(await device.confirm(await openChallenge(device)), 200);
  }
}

async function endpointGone(stack: TestStack): Promise<void> {
  for (const send of sends(stack)) {
    const device = await enrolDevice(stack.website);
    await pushAndConfirm(stack.website, device);
    await deleteEndpoint(stack, device);
    expect(succeeded(await send(device), 202).delivery).toBe('sent');
  }
}

/** A member's device has trouble with its endpoint. */
async function groupsInTrouble(stack: TestStack): Promise<void> {
  for (const trouble of [disableEndpoint, deleteEndpoint]) {
    const [one, other] = [await enrolDevice(stack.website), await enrolDevice(stack.website)];
    await pushAndConfirm(stack.website, one);
    await trouble(stack, one);
    succeeded(await stack.website.requestGroup(question([one, other], 1)), 202);
  }
}

const over = async ({ expiresAt }: { expiresAt: string }): Promise<void> =>
  await wait(Math.max(0, Date.parse(expiresAt) - Date.now() + 20));

async function askForHalfAMinute({ website }: TestStack) {
  const device = await enrolDevice(website);
  const sent = await push(website, device, { expiresIn: 30 });
  return { device, sent, challenge: await openChallenge(device) };
}

/**
 * One that a poll finds over, one that a late answer does, one that the next push does, and a group that a poll does. Their alarms are not set
 * meanwhile: on a slow machine they would ring before.
 */
async function noticed(stack: TestStack): Promise<void> {
  const { website, file } = stack;
  const unset = { service: 'sqs', operation: 'SendMessageBatch', fault: 'throttle' } as const;
  const members = [await enrolDevice(website), await enrolDevice(website)];
  await withFault(file, { ...unset, resource: localQueues.expiry }, async () => {
    const ask = async () => await askForHalfAMinute(stack);
    const [polled, late, again] = await Promise.all([ask(), ask(), ask()]);
    const group = succeeded(await website.requestGroup(question(members, 2, { expiresIn: 30 })), 202);
    await Promise.all([
      over(polled.sent).then(async () => await expectStatus(website, polled.sent.nonce, 'expired')),
      over(late.sent).then(async () => {
        expectProblem(await late.device.confirm(late.challenge), 410, 'challenge-expired');
      }),
      over(group).then(async () => {
        expect(succeeded(await website.getGroup(group.nonce), 200).status).toBe('expired');
      }),
      over(again.sent).then(async () => await push(website, again.device)),
    ]);
  });
}

async function expiries(stack: TestStack): Promise<void> {
  const { sent } = await askForHalfAMinute(stack);
  await ringAlarm(stack, sent);
  await noticed(stack);
  // Nobody may ask for it, or the question would end it.
  await untilCalled(stack, 'expire-confirmation', 'TransactWriteItems');
}

/** SNS does not delete an endpoint while its device is removed. */
async function endpointLeft(stack: TestStack): Promise<void> {
  const { website, file } = stack;
  const device = await enrolDevice(website);
  const { userId, deviceId } = device.identity;
  await withFault(file, { service: 'sns', operation: 'DeleteEndpoint', fault: 'unavailable' }, async () => {
    succeeded(await website.removeDevice(userId, deviceId), 204);
  });
  await untilCalled(stack, 'release-endpoints', 'TransactWriteItems');
}

/** Several are open on a device, and one for longer than SQS can delay its expiry. */
async function approvals(stack: TestStack): Promise<void> {
  const website = await openBank(stack);
  const device = await enrolDevice(website);
  await push(website, device);
  const long = await push(website, device, { expiresIn: 3600 });
  expect(succeeded(await device.challenges(), 200).challenges).toHaveLength(2);
  await untilCalled(stack, 'schedule-expiry', 'BatchWriteItem');
  await makeDue(stack, long);
  await untilCalled(stack, 'queue-expiries', 'SendMessageBatch');
  // It removes what it has queued.
  await untilCalled(stack, 'queue-expiries', 'BatchWriteItem');
}

/** What a bad day brings, or a setting. */
export const rarePaths = [
  approvals,
  limits,
  unreachable,
  endpointGone,
  endpointLeft,
  groupsInTrouble,
  expiries,
];
