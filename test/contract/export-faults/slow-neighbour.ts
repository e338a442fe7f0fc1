import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { withFault } from '../../../tools/local/client/local-stack.ts';
import type { TestStack } from '../../support/stack.ts';
import { Register } from '../export/register.ts';
import { TenantAccount } from '../export/targets.ts';
import { ArrivalTimes, median, percentile } from './latencies.ts';
import { longMs, streamNameOf } from './scene.ts';
import { newTenant, Outbox } from './tenants.ts';

const healthyCount = 50;
/** At least; more, at most, where a busy machine scatters them. */
const rounds = 3;
const mostRounds = 15;
/** Of each tenant in a round: as many samples as its p99 needs. */
const eventsOfATarget = 3;
const betweenEventsMs = 15;
const twoSecondsMs = 2_000;
/**
 * Whoever waits for the slow one waits two seconds longer; what a busy machine adds to the medians of rounds that take
 * turns is far less.
 */
const noiseMs = 500;

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

/** Records evenly, without waiting for the answers, and tells how long each event took to arrive. */
async function round(outbox: Outbox, arrivals: ArrivalTimes, healthy: TargetRef[], slow?: TargetRef) {
  const others: Promise<string>[] = [];
  const events: Promise<{ id: string; at: number }>[] = [];
  for (let index = 0; index < eventsOfATarget * healthy.length; index += 1) {
    const tenant = healthy[index % healthy.length];
    if (!tenant) break;
    if (slow && index % 15 === 0) others.push(outbox.record(slow));
    const at = Date.now();
    events.push(outbox.record(tenant).then((id) => ({ id, at })));
    await wait(betweenEventsMs);
  }
  const recorded = await Promise.all(events);
  const times = await arrivals.of(recorded.map(({ id }) => id));
  const latencies = recorded.map(({ at }, index) => (times[index] ?? 0) - at);
  return { p99: percentile(latencies, 0.99), others: await Promise.all(others) };
}

export function slowNeighbour(stack: TestStack): void {
  test(
    'a slow target does not delay the events of fifty healthy targets, and gets its own events, too',
    async () => {
      const register = new Register(stack.file);
      const { healthy, shared, apart, slow } = await tenantsOf(stack, register);
      const outbox = new Outbox(stack.file);
      const arrivals = await ArrivalTimes.of(stack.file, streamNameOf(shared));
      const own = await ArrivalTimes.of(stack.file, streamNameOf(apart));
      await round(outbox, arrivals, healthy);

      const fault = { service: 'kinesis', fault: 'slow', delayMs: twoSecondsMs } as const;
      const sent = await withFault(stack.file, { ...fault, resource: streamNameOf(apart) }, async () => {
        const ids = [await outbox.record(slow)];
        // From the first slow call on it is known for what it is.
        const { fault: known } = await register.reaches(slow, 'degraded');
        expect(known).toMatchObject({ actor: 'nobody' });

        const [beside, alone]: [number[], number[]] = [[], []];
        const isEqual = (): boolean => median(beside) < median(alone) * 1.1 + noiseMs;
        for (let index = 0; index < rounds || (index < mostRounds && !isEqual()); index += 1) {
          alone.push((await round(outbox, arrivals, healthy)).p99);
          const { p99, others } = await round(outbox, arrivals, healthy, slow);
          beside.push(p99);
          ids.push(...others);
        }
        expect({ beside, alone, isEqual: isEqual() }).toMatchObject({ isEqual: true });
        return ids;
      });
      await own.of(sent);
      for (const each of [arrivals, own, outbox]) each.close();
    },
    longMs,
  );
}
