import { beforeAll, describe, expect, test } from '@jest/globals';
import { WebsiteClient } from '../../../client/website-client.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { demoClient } from '../ciba/oauth-client.ts';
import { expectProblem, expectTime, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  newUser,
  openChallenge,
  push,
  repeatedly,
} from '../scenario.ts';

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
  });
}
