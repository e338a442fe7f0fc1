import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { WebsiteClient } from '../../../tools/client/website-client.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, succeeded } from '../expectations.ts';
import { enrolDevice, newNonce, notification, poll, push, pushesTo, tryPush } from '../scenario.ts';
import { openBank } from './bank.ts';

const daySeconds = 86_400;

/** What a tenant gets by `longestLifetime` and `openPerDevice`, over HTTP. */
export function approvals(stack: TestStack): void {
  let website: WebsiteClient;
  beforeAll(async () => {
    website = await openBank(stack);
  });

  const open = async (device: SimulatedDevice) => succeeded(await device.challenges(), 200).challenges;

  test.each([601, daySeconds])('accepts a lifetime of %i s and keeps it exactly', async (expiresIn) => {
    const device = await enrolDevice(website);
    const { createdAt, expiresAt } = await push(website, device, { expiresIn });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiresIn * 1000);
    const [pushed] = await pushesTo(stack, device.description.pushToken);
    expect(JSON.stringify(pushed?.payload)).toContain(expiresAt);
  });

  test('rejects a lifetime above the longest one and names the limit', async () => {
    const answer = await tryPush(
      website,
      await enrolDevice(website),
      notification({ expiresIn: daySeconds + 1 }),
    );
    expectFaults(answer, '/expiresIn');
    expect(answer.text).toContain('from 30 to 86400');
  });

  describe('a device with twenty open confirmations', () => {
    let device: SimulatedDevice;
    let nonces: string[];
    beforeAll(async () => {
      device = await enrolDevice(website);
      nonces = Array.from({ length: 20 }, newNonce);
      for (const [index, nonce] of nonces.entries())
        await push(website, device, { nonce, expiresIn: daySeconds - 600 * index });
    });

    test('accepts answers in any order, and each answer makes room', async () => {
      const challenges = await open(device);
      const [first, , third] = challenges;
      if (!first || !third) throw new Error('There are fewer challenges');
      succeeded(await device.confirm(third), 200);
      succeeded(await device.deny(first), 200);
      expect(await open(device)).toHaveLength(18);
      expect((await poll(website, nonces[17] ?? '')).status).toBe('confirmed');
      expect((await poll(website, nonces[19] ?? '')).status).toBe('denied');
      await push(website, device, { expiresIn: 60 });
      expect(await open(device)).toHaveLength(19);
    });
  });
}
