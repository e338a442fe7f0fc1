import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { challengeIdOf } from '../../../client/digests.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded, withoutTrace } from '../expectations.ts';
import {
  enrolDevice,
  newNonce,
  newUser,
  notification,
  openChallenge,
  poll,
  push,
  pushesTo,
  startEnrolment,
} from '../scenario.ts';

export function isolation(stack: TestStack): void {
  test('gives equal user ids separate devices', async () => {
    const { identity } = await enrolDevice(stack.website);
    expect(succeeded(await stack.neighbour.listDevices(identity.userId), 200)).toEqual({ devices: [] });
  });

  test("hides another tenant's device exactly like an unknown one", async () => {
    const { userId, deviceId } = (await enrolDevice(stack.website)).identity;
    const unknown = randomUUID();
    const removal = await stack.neighbour.removeDevice(userId, deviceId);
    expectProblem(removal, 404, 'device-not-found');
    expect(withoutTrace(removal)).toEqual(withoutTrace(await stack.neighbour.removeDevice(userId, unknown)));
    const sent = await stack.neighbour.sendToDevice(userId, deviceId, notification());
    expectProblem(sent, 404, 'device-not-found');
    expect(withoutTrace(sent)).toEqual(
      withoutTrace(await stack.neighbour.sendToDevice(userId, unknown, notification())),
    );
    expectProblem(await stack.neighbour.sendToUser(userId, notification()), 404, 'device-not-found');
    expect(succeeded(await stack.website.listDevices(userId), 200).devices).toHaveLength(1);
  });

  test("hides another tenant's confirmation exactly like an unknown one", async () => {
    const { nonce } = await push(stack.website, await enrolDevice(stack.website));
    const answer = await stack.neighbour.getConfirmation(nonce);
    expectProblem(answer, 404, 'confirmation-not-found');
    expect(withoutTrace(answer)).toEqual(withoutTrace(await stack.neighbour.getConfirmation(newNonce())));
  });

  test("hides another tenant's enrolment exactly like an unknown one", async () => {
    const { enrolmentId } = await startEnrolment(stack.website, newUser());
    const answer = await stack.neighbour.getEnrolment(enrolmentId);
    expectProblem(answer, 404, 'enrolment-not-found');
    expect(withoutTrace(answer)).toEqual(withoutTrace(await stack.neighbour.getEnrolment(randomUUID())));
  });

  test('allows both tenants the same nonce', async () => {
    const sent = notification();
    const [ours, theirs] = [await enrolDevice(stack.website), await enrolDevice(stack.neighbour)];
    const [first, second] = [
      await push(stack.website, ours, sent),
      await push(stack.neighbour, theirs, sent),
    ];
    expect(second.challengeId).toBe(challengeIdOf(stack.file.tenants[1].tenantId, sent.nonce));
    expect(second.challengeId).not.toBe(first.challengeId);
    succeeded(await theirs.confirm(await openChallenge(theirs)), 200);
    expect((await poll(stack.website, sent.nonce)).status).toBe('pending');
    expect((await poll(stack.neighbour, sent.nonce)).status).toBe('confirmed');
  });

  test('reaches a phone of both tenants, under one push token, for each of them', async () => {
    const mine = await enrolDevice(stack.website);
    const { pushToken } = mine.description;
    const theirs = await enrolDevice(stack.neighbour, mine.identity.userId, { pushToken });
    await push(stack.website, mine);
    await push(stack.neighbour, theirs);
    expect(await pushesTo(stack, pushToken)).toHaveLength(2);
    succeeded(await mine.remove(), 204);
    succeeded(await theirs.confirm(await openChallenge(theirs)), 200);
    expect((await push(stack.neighbour, theirs)).delivery).toBe('sent');
    expect(await pushesTo(stack, pushToken)).toHaveLength(3);
  });
}
