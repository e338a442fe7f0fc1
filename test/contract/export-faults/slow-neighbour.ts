import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';
import { Arrivals } from './arrivals.ts';
import { streamNameOf } from './scene.ts';
import { newTenant, Outbox } from './tenants.ts';

const healthyCount = 50;
const rounds = 3;
/** Longer than the exporter waits for an answer. */
const hangingMs = 10_000;

/** Fifty tenants that share a stream, each with a role of its own, and one with a stream of its own. */
async function tenantsOf(stack: TestStack, register: Register) {
  const account = new TenantAccount(stack.file);
  const streamName = `events-${randomUUID()}`;
  const shared = await account.makeStream({ streamName, shards: 2 });
  const healthy: TargetRef[] = [];
  for (let index = 0; index < healthyCount; index += 1) {
    const own = await account.makeStream({ streamName, roleName: `writer-${index}`, shards: 2 });
    healthy.push(await newTenant(register, own));
  }
  const apart = await account.makeStream({ shards: 1 });
  return { healthy, shared, apart, slow: await newTenant(register, apart) };
}

const recordOf = async (outbox: Outbox, tenants: readonly TargetRef[]): Promise<string[]> =>
  await Promise.all(tenants.map(async (tenant) => await outbox.record(tenant)));

const includes =
  (ids: readonly string[]) =>
  (events: readonly Arrivals['events'][number][]): boolean => {
    const arrived = new Set(events.map(({ metadata }) => metadata.eventId));
    return ids.every((id) => arrived.has(id));
  };

export function slowNeighbour(stack: TestStack): void {
  test('fifty healthy targets get all their events while no call to another target is answered, which gets its own afterwards', async () => {
    const register = new Register(stack.file);
    const { healthy, shared, apart, slow } = await tenantsOf(stack, register);
    const outbox = new Outbox(stack.file);
    const others = await Arrivals.ofStream(stack.file, shared);
    const own = await Arrivals.ofStream(stack.file, apart);

    const resource = streamNameOf(apart);
    const fault = { service: 'kinesis', fault: 'unavailable', resource, delayMs: hangingMs } as const;
    const waiting = await withFault(stack.file, fault, async () => {
      const ids = [await outbox.record(slow)];
      // From the first call on that nobody answers, it is known for what it is.
      const { fault: known } = await register.reaches(slow, 'degraded');
      expect(known).toMatchObject({ actor: 'nobody' });
      for (let index = 0; index < rounds; index += 1) {
        const [ofHealthy, ofSlow] = await Promise.all([
          recordOf(outbox, healthy),
          recordOf(outbox, [slow, slow]),
        ]);
        await others.until('what the healthy targets get', includes(ofHealthy));
        ids.push(...ofSlow);
      }
      await own.until('nothing', () => true);
      expect(own.ids).toEqual([]);
      return ids;
    });
    await own.until('what waited', includes(waiting));
    for (const each of [others, own, outbox]) each.close();
  });
}
