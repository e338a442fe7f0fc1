import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Confirmation, Notification } from '../../../tools/client/contract.ts';
import type { Answer } from '../../../tools/client/http.ts';
import type { Answer as DeviceAnswer } from '#device';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { patiently } from '../faults/patience.ts';
import { newUser, notification } from '../scenario.ts';
import { recordedTypes } from './recorded-types.ts';

/** As many as a test of a few minutes can wait for; `npm run test:load` has ten times as many. */
const flowCount = Number(process.env['OMI_LOAD_FLOWS'] ?? 100);
const atOnce = Number(process.env['OMI_LOAD_AT_ONCE'] ?? 10);

const outcomes = {
  confirm: { status: 'confirmed', event: 'PushNotificationConfirmedEvent' },
  user_declined: { status: 'denied', event: 'PushNotificationDeniedEvent' },
  not_me: { status: 'denied', event: 'PushNotificationDeniedEvent' },
  ignore: { status: 'expired', event: 'PushNotificationExpiredEvent' },
} as const;
type Choice = keyof typeof outcomes;

/** What the user of each device will do. Those who do nothing come first: all wait for them. */
const choices = (): Choice[] =>
  fc
    .sample(fc.constantFrom<Choice>('confirm', 'confirm', 'user_declined', 'not_me', 'ignore'), {
      numRuns: flowCount,
      seed: 20_260_101,
    })
    .toSorted((one, other) => Number(other === 'ignore') - Number(one === 'ignore'));

type Flow = { choice: Choice; sent: Confirmation; ended: Promise<Confirmation> };

/** A machine that is busy with other things may have a call of ours take too long: then the same is sent again. */
const done = async <Body>(status: number, call: () => Promise<Answer<Body>>): Promise<Body> =>
  succeeded(await patiently(call), status);

async function enrolled({ website }: TestStack): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  const { qr } = await done(201, async () => await website.startEnrolment(newUser()));
  await done(201, async () => await device.enrol(qr));
  return device;
}

async function answer(device: SimulatedDevice, choice: Exclude<Choice, 'ignore'>): Promise<void> {
  const [challenge] = (await done(200, async () => await device.challenges())).challenges;
  if (!challenge) throw new Error('There is no challenge');
  const decision: DeviceAnswer =
    choice === 'confirm' ? { decision: 'confirm' } : { decision: 'deny', reason: choice };
  const jws = device.signAnswer(challenge, decision);
  await done(200, async () => await postAnswer(device.identity.baseUrl, challenge.challengeId, jws));
}

async function flow(stack: TestStack, choice: Choice): Promise<Flow> {
  const device = await enrolled(stack);
  const { userId, deviceId } = device.identity;
  const asked = notification(choice === 'ignore' ? { expiresIn: 30 } : {});
  const sent = await done(202, async () => await stack.website.sendToDevice(userId, deviceId, asked));
  if (choice !== 'ignore') await answer(device, choice);
  const ended = pollToTheEnd(stack, asked);
  // Its failure is met where it is awaited, which may be half a minute later.
  ended.catch(() => undefined);
  if (choice !== 'ignore') await ended;
  return { choice, sent, ended };
}

async function pollToTheEnd({ website }: TestStack, { nonce }: Notification): Promise<Confirmation> {
  for (;;) {
    const confirmation = await done(200, async () => await website.getConfirmation(nonce));
    if (confirmation.status !== 'pending') return confirmation;
    await wait(confirmation.interval * 1_000);
  }
}

async function mapConcurrent<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const waiting = items.values();
  const results: Result[] = [];
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of waiting) results.push(await work(item));
  });
  await Promise.all(workers);
  return results;
}

export function load(stack: TestStack): void {
  test(`ends each of ${flowCount} confirmations, ${atOnce} at once, as its device chose, and records matching events`, async () => {
    const flows = await mapConcurrent(choices(), async (choice) => await flow(stack, choice));
    const ends = await Promise.all(flows.map(async ({ ended }) => await ended));
    const types = await recordedTypes(stack);
    const found = flows.map(({ choice, sent }, index) => ({
      choice,
      status: ends[index]?.status,
      reason: ends[index]?.reason,
      events: types.get(sent.challengeId),
      device: types.get(sent.deviceId ?? ''),
    }));
    expect(found).toEqual(
      flows.map(({ choice }) => ({
        choice,
        status: outcomes[choice].status,
        reason: outcomes[choice].status === 'denied' ? choice : undefined,
        events: ['PushNotificationSentEvent', outcomes[choice].event],
        device: ['UserDeviceRegisteredEvent'],
      })),
    );
    expect(new Set(flows.map(({ sent }) => sent.challengeId)).size).toBe(flowCount);
  });
}
