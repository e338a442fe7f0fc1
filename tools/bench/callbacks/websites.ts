import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SimulatedDevice } from '../../client/device/simulated-device.ts';
import { bodyOf } from '../../client/http.ts';
import { eventually } from '../../client/waiting.ts';
import { WebsiteClient } from '../../client/website-client.ts';
import { omi } from '../stack/omi.ts';
import type { LocalStack } from '../stack/stack.ts';
import { Receiver } from './receiver.ts';

/** A website with a client, a server and a user of its own, who has a device. */
export type Website = { client: WebsiteClient; userId: string; device: SimulatedDevice; receiver: Receiver };
export type Websites = { healthy: Website[]; dead: Website; slow: Website; close: () => void };

export async function openWebsites(stack: LocalStack, count: number): Promise<Websites> {
  // Its users may be asked often.
  const limits = ['--per-ten-minutes', '1000', '--per-day', '1000'];
  const { tenantId = '' } = await omi(stack, 'tenant', 'create', '--name', 'Call-backs', ...limits);
  const open = async (name: string): Promise<Website> => {
    const receiver = await Receiver.start();
    const options = ['--name', name, '--scope', 'all', '--callback-url', receiver.url];
    const { clientId = '', clientSecret = '' } = await omi(stack, 'client', 'create', tenantId, ...options);
    const client = new WebsiteClient({ ...stack.file, clientId, clientSecret });
    const [userId, device] = [`bench-${randomBytes(8).toString('hex')}`, new SimulatedDevice()];
    await device.enrol(bodyOf(await client.startEnrolment(userId)).qr);
    return { client, userId, device, receiver };
  };
  const [dead, slow] = [await open('dead'), await open('slow')];
  const healthy: Website[] = [];
  while (healthy.length < count) healthy.push(await open(`healthy-${healthy.length}`));
  const close = (): void => [dead, slow, ...healthy].forEach(({ receiver }) => receiver.close());
  return { healthy, dead, slow, close };
}

/** A confirmation that the user answered. */
export type Asked = { website: Website; challengeId: string };

async function ask(website: Website): Promise<Asked> {
  const { client, userId, device } = website;
  const notification = { message: 'Change your address?', nonce: randomBytes(16).toString('hex') };
  const { challengeId } = bodyOf(await client.sendToUser(userId, notification));
  const [challenge] = bodyOf(await device.challenges()).challenges;
  if (!challenge) throw new Error('The device has no challenge');
  bodyOf(await device.confirm(challenge));
  return { website, challengeId };
}

/** Each website asks its user once. The users answer one after the other, in about this time. */
export async function wave(websites: readonly Website[], duration: number): Promise<Asked[]> {
  return await Promise.all(
    websites.map(async (website, index) => {
      await wait((index * duration) / websites.length);
      return await ask(website);
    }),
  );
}

/** Waits for each call-back, or until the service has its answer. @returns milliseconds from each answer to its call-back */
export async function arrivals(asked: readonly Asked[], isSettled = false): Promise<number[]> {
  return await Promise.all(
    asked.map(async ({ website: { receiver }, challengeId }) => {
      const find = async () => {
        const call = receiver.calls.get(challengeId);
        return await Promise.resolve(call?.isAnswered || !isSettled ? call?.arrival : undefined);
      };
      return await eventually('A call-back', find, { everyMs: 20, atMostMs: 120_000 });
    }),
  );
}
