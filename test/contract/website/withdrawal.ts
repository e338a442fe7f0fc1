import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { WebsiteClient } from '../../../tools/client/website-client.ts';
import { messageHashOf } from '../../../tools/client/digests.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { demoClient } from '../ciba/oauth-client.ts';
import { expectFaults, expectProblem, expectTime, succeeded, withoutTrace } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newNonce,
  newUser,
  openChallenge,
  poll,
  push,
  pushAndConfirm,
  pushAndDeny,
  repeatedly,
} from '../scenario.ts';

const together = 12;

export function withdrawal(stack: TestStack): void {
  const withdraw = async (nonce: string) => await stack.website.withdraw(nonce);

  test('cancels a pending confirmation, with the same answer when repeated', async () => {
    const { sent } = await challengedDevice(stack.website);
    await repeatedly(3, async () => succeeded(await withdraw(sent.nonce), 204));
    const cancelled = await expectStatus(stack.website, sent.nonce, 'cancelled', 'withdrawn');
    expectTime(cancelled.decidedAt);
    expect(cancelled).not.toHaveProperty('evidence');
    expect(cancelled).not.toHaveProperty('deviceKey');
  });

  test('hides it from the device, whose answer comes too late', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    succeeded(await withdraw(sent.nonce), 204);
    expect(succeeded(await device.challenges(), 200)).toMatchObject({ challenges: [] });
    expectProblem(await device.confirm(challenge), 409, 'already-decided');
    expectProblem(await device.deny(challenge, 'not_me'), 409, 'already-decided');
    await expectStatus(stack.website, sent.nonce, 'cancelled', 'withdrawn');
  });

  test('is rejected with 409 after a decision and changes nothing', async () => {
    const device = await enrolDevice(stack.website);
    const confirmed = await pushAndConfirm(stack.website, device);
    const denied = await pushAndDeny(stack.website, device);
    const failed = await push(stack.website, device);
    const challenge = await openChallenge(device);
    const claims = { messageHash: messageHashOf('Another message') };
    await repeatedly(3, async () => await device.confirm(challenge, { claims }));
    const removed = await push(stack.website, device);
    succeeded(await device.remove(), 204);
    for (const [{ nonce }, status, reason] of [
      [confirmed, 'confirmed', undefined],
      [denied, 'denied', 'user_declined'],
      [failed, 'failed', 'too_many_bad_responses'],
      [removed, 'cancelled', 'device_removed'],
    ] as const) {
      expectProblem(await withdraw(nonce), 409, 'already-decided');
      await expectStatus(stack.website, nonce, status, reason);
    }
  });

  test("is rejected with the same 404 for an unknown nonce and another tenant's", async () => {
    const { sent } = await challengedDevice(stack.website);
    const unknown = await stack.neighbour.withdraw(newNonce());
    expectProblem(unknown, 404, 'confirmation-not-found');
    expect(withoutTrace(await stack.neighbour.withdraw(sent.nonce))).toEqual(withoutTrace(unknown));
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test('needs a valid nonce or user id, and not both', async () => {
    const remove = async (query: string) =>
      await stack.website.call({ method: 'DELETE', path: `/omi/push/confirmation${query}` }, v.unknown());
    const both = ['#/query/nonce', '#/query/userId'];
    expectFaults(await withdraw('short'), '#/query/nonce');
    expectFaults(await stack.website.withdrawAll('no user id'), '#/query/userId');
    expectFaults(await remove('?nonce=short&userId=..'), ...both);
    expectFaults(await remove(''), ...both);
    const { sent } = await challengedDevice(stack.website);
    expectFaults(await remove(`?nonce=${sent.nonce}&userId=${sent.userId}`), ...both);
    expectFaults(await remove(`?nonce=${sent.nonce}&authReqId=${sent.nonce}`), ...both, '#/query/authReqId');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  describe('the withdrawal of everything for a user', () => {
    /** Another client of the tenant. */
    let other: WebsiteClient;
    beforeAll(async () => {
      const { tenantId } = stack.file.tenants[0];
      const client = ['client', 'create', '--tenant', tenantId, '--name', 'withdrawals', '--scope', 'all'];
      const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(...client);
      other = new WebsiteClient({ ...stack.file, ...made });
    });

    test('cancels what this client has open on all devices', async () => {
      const userId = newUser();
      const phones = await repeatedly(3, async () => await enrolDevice(stack.website, userId));
      const asked = [];
      for (const phone of phones) asked.push(await push(stack.website, phone));
      await repeatedly(2, async () => succeeded(await stack.website.withdrawAll(userId), 204));
      for (const { nonce } of asked) await expectStatus(stack.website, nonce, 'cancelled', 'withdrawn');
      for (const phone of phones)
        expect(succeeded(await phone.challenges(), 200)).toMatchObject({ challenges: [] });
    });

    test('leaves requests of other clients, of CIBA, for another user or at another tenant', async () => {
      const userId = newUser();
      const [ours, theirs, third] = [
        await enrolDevice(stack.website, userId),
        await enrolDevice(stack.website, userId),
        await enrolDevice(stack.website, userId),
      ];
      const elsewhere = await enrolDevice(stack.neighbour, userId);
      const { nonce } = await push(stack.website, ours);
      const kept = [
        [other, await push(other, theirs)],
        [stack.website, await push(stack.website, await enrolDevice(stack.website))],
        [stack.neighbour, await push(stack.neighbour, elsewhere)],
      ] as const;
      const device = third.identity.deviceId;
      const hint = JSON.stringify({ format: 'iss_sub', sub: userId, device });
      await demoClient(stack).start(hint);
      succeeded(await stack.website.withdrawAll(userId), 204);
      await expectStatus(stack.website, nonce, 'cancelled', 'withdrawn');
      for (const [website, sent] of kept) await expectStatus(website, sent.nonce, 'pending');
      succeeded(await third.confirm(await openChallenge(third)), 200);
    });

    test('leaves decided confirmations, and answers the same if nothing is open or the user is unknown', async () => {
      const device = await enrolDevice(stack.website);
      const { nonce } = await pushAndConfirm(stack.website, device);
      for (const userId of [device.identity.userId, newUser()])
        succeeded(await stack.website.withdrawAll(userId), 204);
      await expectStatus(stack.website, nonce, 'confirmed');
    });

    test('succeeds beside a parallel answer, and exactly one of the two decides', async () => {
      await repeatedly(together, async () => {
        const { device, sent, challenge } = await challengedDevice(stack.website);
        const [answered, withdrawn] = await Promise.all([
          device.confirm(challenge),
          stack.website.withdrawAll(sent.userId),
        ]);
        succeeded(withdrawn, 204);
        const { status } = await poll(stack.website, sent.nonce);
        expect(status).toBe(answered.ok ? 'confirmed' : 'cancelled');
      });
    });
  });
}
