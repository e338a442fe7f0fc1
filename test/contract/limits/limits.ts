import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, retryAfterOf, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  newUser,
  notification,
  openChallenge,
  push,
  pushAndConfirm,
  pushesTo,
  repeatedly,
  tryPush,
} from '../scenario.ts';

const tenMinutesSeconds = 600;

export function limits(stack: TestStack): void {
  test('reject the sixth push in ten minutes with 429 and say when the first is ten minutes old', async () => {
    const device = await enrolDevice(stack.website);
    const begun = Date.now();
    await repeatedly(5, async () => await pushAndConfirm(stack.website, device));
    const answer = await tryPush(stack.website, device);
    expectProblem(answer, 429, 'too-many-notifications');
    const passed = (Date.now() - begun) / 1000;
    expect(retryAfterOf(answer)).toBeGreaterThanOrEqual(Math.floor(tenMinutesSeconds - passed) - 1);
    expect(retryAfterOf(answer)).toBeLessThanOrEqual(tenMinutesSeconds);
    expect(await pushesTo(stack, device.description.pushToken)).toHaveLength(5);
  });

  test('do not count a repetition', async () => {
    const device = await enrolDevice(stack.website);
    const sent = notification();
    await push(stack.website, device, sent);
    await repeatedly(5, async () => succeeded(await tryPush(stack.website, device, sent), 202));
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await repeatedly(4, async () => await pushAndConfirm(stack.website, device));
    succeeded(await tryPush(stack.website, device, sent), 202);
    expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
  });

  test('do not count a rejected push', async () => {
    const device = await enrolDevice(stack.website);
    await push(stack.website, device);
    await repeatedly(5, async () =>
      expectProblem(await tryPush(stack.website, device), 409, 'confirmation-pending'),
    );
    succeeded(await device.confirm(await openChallenge(device)), 200);
    await repeatedly(4, async () => await pushAndConfirm(stack.website, device));
  });

  test('are shared by all devices of a user and both endpoints', async () => {
    const userId = newUser();
    const one = await enrolDevice(stack.website, userId);
    await repeatedly(2, async () => {
      succeeded(await stack.website.sendToUser(userId, notification()), 202);
      succeeded(await one.confirm(await openChallenge(one)), 200);
    });
    const other = await enrolDevice(stack.website, userId);
    await pushAndConfirm(stack.website, one);
    await repeatedly(2, async () => await pushAndConfirm(stack.website, other));
    for (const device of [one, other])
      expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
    succeeded(await one.remove(), 204);
    expectProblem(await stack.website.sendToUser(userId, notification()), 429, 'too-many-notifications');
  });

  test('are separate for each user and each tenant', async () => {
    const device = await enrolDevice(stack.website);
    await repeatedly(5, async () => await pushAndConfirm(stack.website, device));
    expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
    await push(stack.website, await enrolDevice(stack.website));
    await push(stack.neighbour, await enrolDevice(stack.neighbour, device.identity.userId));
  });

  test('do not restart with a new device', async () => {
    const device = await enrolDevice(stack.website);
    const { userId } = device.identity;
    await repeatedly(5, async () => await pushAndConfirm(stack.website, device));
    succeeded(await device.remove(), 204);
    const successor = await enrolDevice(stack.website, userId);
    expectProblem(await tryPush(stack.website, successor), 429, 'too-many-notifications');
  });

  test('accept one of two parallel pushes for the last place', async () => {
    const userId = newUser();
    const phones = [await enrolDevice(stack.website, userId), await enrolDevice(stack.website, userId)];
    for (const phone of phones) await repeatedly(2, async () => await pushAndConfirm(stack.website, phone));
    const answers = await Promise.all(phones.map(async (phone) => await tryPush(stack.website, phone)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429]);
    for (const answer of answers) if (!answer.ok) expectProblem(answer, 429, 'too-many-notifications');
  });
}
