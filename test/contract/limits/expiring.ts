import { beforeAll } from '@jest/globals';
import type { Challenge, Confirmation, Notification } from '../../../client/contract.ts';
import { messageHashOf } from '../../../client/digests.ts';
import { postAnswer } from '../../../client/device/device-api.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, notification, openChallenge, push, pushAndDeny, repeatedly } from '../scenario.ts';

type Asked = { device: SimulatedDevice; asked: Notification; sent: Confirmation; challenge: Challenge };
export type Expiring = Record<'unanswered' | 'mismatched' | 'refusing' | 'confirmed' | 'removed', Asked> & {
  decidingJws: string;
  /** Nobody polls it. */
  unasked: Awaited<ReturnType<typeof push>>;
};

export const altered = { claims: { messageHash: messageHashOf('Another message') } };
async function ask(stack: TestStack, device: SimulatedDevice, expiresIn: number): Promise<Asked> {
  const asked = notification({ expiresIn });
  const sent = await push(stack.website, device, asked);
  return { device, asked, sent, challenge: await openChallenge(device) };
}

export type ExpiringConfirmations = { get: () => Expiring };

/** Confirmations of half a minute, begun before the first test of the file. */
export function useExpiring(stack: TestStack): ExpiringConfirmations {
  let expiring: Expiring | undefined;
  beforeAll(async () => {
    const fresh = async () => await enrolDevice(stack.website);
    const refusingDevice = await fresh();
    await repeatedly(2, async () => await pushAndDeny(stack.website, refusingDevice));
    const refusing = await ask(stack, refusingDevice, 30);
    const unasked = await push(stack.website, await fresh(), { expiresIn: 30 });
    const unanswered = await ask(stack, await fresh(), 30);
    const removed = await ask(stack, await fresh(), 30);
    const mismatched = await ask(stack, await fresh(), 30);
    await repeatedly(2, async () => await mismatched.device.confirm(mismatched.challenge, altered));
    const confirmed = await ask(stack, await fresh(), 30);
    const decidingJws = confirmed.device.signAnswer(confirmed.challenge, { decision: 'confirm' });
    const { challengeId } = confirmed.challenge;
    succeeded(await postAnswer(confirmed.device.identity.baseUrl, challengeId, decidingJws), 200);
    expiring = { unanswered, mismatched, refusing, confirmed, removed, decidingJws, unasked };
  });
  const get = () => {
    if (expiring === undefined) throw new Error('Nothing was sent yet');
    return expiring;
  };
  return { get };
}
