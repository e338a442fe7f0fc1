import { setTimeout as wait } from 'node:timers/promises';
import { WebsiteClient } from '../../client/website-client.ts';
import type { LocalStack } from '../api/stack.ts';
import { newCustomer, tap } from '../website/customers.ts';
import { ServiceCalls } from '../website/service-calls.ts';
import { start, type Way, ways } from './ways.ts';

export type Measured = { way: Way; calls: string[] };

/** Waits until the question is on the device. */
const LOOK_AGAIN_MS = 100;

/** The calls of one approval in each way. The user answers after this time. */
export async function measure(stack: LocalStack, answerAfterMs: number): Promise<Measured[]> {
  const website = new WebsiteClient({ ...stack.file, ...stack.file.tenants[0] });
  using counted = new ServiceCalls([stack.url]);
  const measured: Measured[] = [];
  for (const way of ways) {
    const customer = await newCustomer(website);
    const { ask, close } = await start[way](stack);
    try {
      // Discovery, once for a process.
      counted.take();
      const asking = ask(customer.userId);
      await Promise.all([asking, wait(answerAfterMs).then(async () => await tapSoon(customer))]);
      measured.push({ way, calls: counted.take() });
    } finally {
      close();
    }
  }
  return measured;
}

async function tapSoon(customer: Parameters<typeof tap>[0]): Promise<void> {
  for (;;) {
    const answer = await customer.device.challenges();
    if (answer.ok && answer.body.challenges.length > 0) break;
    await wait(LOOK_AGAIN_MS);
  }
  await tap(customer);
}
