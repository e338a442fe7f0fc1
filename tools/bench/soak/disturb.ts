import { setTimeout as wait } from 'node:timers/promises';
import type { LocalStack } from '../stack/stack.ts';
import { seeded } from '../report/seeded.ts';
import { failing, type FaultName, type Resources } from './faults.ts';
import type { Monitor } from './monitor.ts';
import type { Plan } from './plan.ts';

/** A fault that is over. */
export type Disturbance = {
  name: FaultName;
  /** Milliseconds. */
  duration: number;
  /** Milliseconds from its end until all targets were active and nothing waited. Missing if they did not recover. */
  recovery?: number;
};

export type Scene = { stack: LocalStack; plan: Plan; resources: Resources; monitor: Monitor };

/** Milliseconds between the recovery from a fault and the next fault, at most. */
const longestCalm = 2_000;

/** Each item comes as often as any other, in an order that does not repeat. */
function* shuffled<Item>(items: readonly Item[], random: () => number): Generator<Item> {
  for (;;) {
    const ranked = items.map((item) => ({ item, rank: random() }));
    for (const { item } of ranked.toSorted((a, b) => a.rank - b.rank)) yield item;
  }
}

/** Makes one fault after the other, until the signal. Each fault ends before the next one begins. */
export async function disturb(
  { stack, plan, resources, monitor }: Scene,
  signal: AbortSignal,
  told: (disturbance: Disturbance) => void,
): Promise<Disturbance[]> {
  const random = seeded(plan.seed);
  const disturbances: Disturbance[] = [];
  if (plan.faults.length === 0) return disturbances;
  for (const name of shuffled(plan.faults, random)) {
    if (signal.aborted) break;
    const duration = plan.faultSeconds * 1_000 * (0.5 + random());
    await failing(stack.file, name, resources, async () => await wait(duration));
    const recovery = await monitor.recovery(plan.patience * 1_000);
    const disturbance = { name, duration, ...(recovery !== undefined && { recovery }) };
    disturbances.push(disturbance);
    told(disturbance);
    await wait(random() * longestCalm);
  }
  return disturbances;
}
