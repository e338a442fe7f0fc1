import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebsiteClient } from '../../client/website-client.ts';
import { bodyOf } from '../../client/http.ts';
import { eventually } from '../../client/waiting.ts';
import type { LocalStack } from '../stack/stack.ts';
import { type Customer, newCustomer, tap } from './customers.ts';
import { Operator } from './operator.ts';
import { Receiver } from './receiver.ts';

/** A website with a user, and its receiver. */
export type Website = { client: WebsiteClient; customer: Customer; receiver: Receiver };

/** The websites of a benchmark: each has a client, a server and a user of its own. */
export type Websites = { healthy: Website[]; dead: Website; slow: Website; close: () => void };

export async function openWebsites(stack: LocalStack, count: number): Promise<Websites> {
  const operator = new Operator(stack);
  const tenantId = await operator.newTenant();
  const open = async (name: string): Promise<Website> => {
    const receiver = await Receiver.start();
    const client = await operator.newWebsite(tenantId, name, receiver.url);
    return { client, receiver, customer: await newCustomer(client) };
  };
  const [dead, slow] = [await open('dead'), await open('slow')];
  const healthy: Website[] = [];
  while (healthy.length < count) healthy.push(await open(`healthy-${healthy.length}`));
  const close = (): void => {
    for (const { receiver } of [dead, slow, ...healthy]) receiver.close();
  };
  return { healthy, dead, slow, close };
}

/** A confirmation that the user answered. */
export type Asked = { website: Website; challengeId: string };

async function ask(website: Website): Promise<Asked> {
  const { client, customer } = website;
  const notification = { message: 'Change your address?', nonce: randomBytes(16).toString('hex') };
  const { challengeId } = bodyOf(await client.sendToUser(customer.userId, notification));
  await tap(customer);
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

const patience = { everyMs: 20, atMostMs: 120_000 };

/** Milliseconds from each answer to its call-back, once all of them have come. */
export async function arrivals(asked: readonly Asked[]): Promise<number[]> {
  return await Promise.all(
    asked.map(async ({ website: { receiver }, challengeId }) => {
      const find = async () => await Promise.resolve(receiver.arrival(challengeId));
      return await eventually('A call-back', find, patience);
    }),
  );
}

/** Until the service has an answer to each call-back. */
export async function settled(asked: readonly Asked[]): Promise<void> {
  for (const { website, challengeId } of asked) {
    const find = async () =>
      await Promise.resolve(website.receiver.isAnswered(challengeId) ? true : undefined);
    await eventually('The end of a call-back', find, patience);
  }
}
