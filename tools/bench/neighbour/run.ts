/**
 * Confirmations of one tenant: alone, beside a tenant that records as many events as it may, and beside one that asks for five times
 * as many. On a local stack, all of them share the cores, so the second is what the third is compared with.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { describeMachine, formatNumber, formatTable, median, percentile, writeBlock } from '../report.ts';
import { omi } from '../stack/omi.ts';
import { type LocalStack, startStack } from '../stack/stack.ts';

const usage =
  'npm run bench:neighbour -- [--rounds 6] [--confirmations 40] [--write]\n\n  --confirmations  of each round; the rounds of the three take turns';
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    confirmations: { type: 'string', default: '40' },
    ...{ write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  },
});

/** What a neighbour may record in a second, in so many calls, and how many times that a greedy one asks for. */
const [callsPerSecond, limit, greed] = [10, 100, 5];

type Tenant = { tenantId: string; website: WebsiteClient };

async function openTenant(stack: LocalStack, ...settings: string[]): Promise<Tenant> {
  const { tenantId = '' } = await omi(stack, 'tenant', 'create', '--name', 'Bench', ...settings);
  const made = await omi(stack, 'client', 'create', tenantId, '--name', 'bench', '--scope', 'all');
  const { clientId = '', clientSecret = '' } = made;
  return { tenantId, website: new WebsiteClient({ ...stack.file, clientId, clientSecret }) };
}

async function enrol({ website }: Tenant): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  bodyOf(await device.enrol(bodyOf(await website.startEnrolment(randomUUID())).qr));
  return device;
}

/** @returns milliseconds from the question to the accepted answer */
async function confirm({ website }: Tenant, device: SimulatedDevice): Promise<number> {
  const start = performance.now();
  const asked = { message: 'Pay 10 EUR?', nonce: randomUUID() };
  bodyOf(await website.sendToUser(device.identity.userId, asked));
  const [challenge] = bodyOf(await device.challenges()).challenges;
  if (!challenge) throw new Error('There is no challenge.');
  bodyOf(await device.confirm(challenge));
  return performance.now() - start;
}

const eventOf = (tenantId: string) => ({
  metadata: {
    ...{ aggregateId: randomUUID(), category: 'public', eventId: randomUUID(), tenantId },
    ...{ type: 'UserSignedInEvent', occurredTime: new Date().toISOString() },
    ...{ producerId: 'bench', producerInstanceId: 'bench', metadataVersion: '1.0', payloadVersion: '1.0' },
  },
  payload: { userId: 'bench', identityProviderId: 'bench', destination: 'bench' },
});

const statuses = new Map<number, number>();

/** Calls at a steady rate, whatever the answers are, until it is told to stop. */
async function record(
  { tenantId, website }: Tenant,
  eventsOfCall: number,
  signal: AbortSignal,
): Promise<void> {
  const calls: Promise<void>[] = [];
  while (!signal.aborted) {
    const events = Array.from({ length: eventsOfCall }, () => eventOf(tenantId));
    const call = website.call({ method: 'POST', path: '/omi/events', json: { events } }, v.unknown());
    calls.push(call.then(({ status }) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)));
    await sleep(1_000 / callsPerSecond);
  }
  await Promise.all(calls);
}

const scenes = {
  alone: 'alone',
  within: 'beside a neighbour within its limit',
  greedy: 'beside a neighbour that asks for five times its limit',
} as const;
type Scene = keyof typeof scenes;

async function measure(): Promise<Record<Scene, number[][]>> {
  const stack = await startStack();
  const times: Record<Scene, number[][]> = { alone: [], within: [], greedy: [] };
  try {
    const often = ['--per-ten-minutes', '1000', '--per-day', '1000'];
    const own = await openTenant(stack, ...often);
    const neighbour = await openTenant(stack, '--events-per-second', String(limit));
    const device = await enrol(own);
    const round = async (): Promise<number[]> => {
      const its: number[] = [];
      for (let n = 0; n < Number(values.confirmations); n += 1) its.push(await confirm(own, device));
      return its;
    };
    const beside = async (eventsOfCall: number): Promise<number[]> => {
      const stop = new AbortController();
      const recording = record(neighbour, eventsOfCall, stop.signal);
      const its = await round();
      stop.abort();
      await recording;
      return its;
    };
    const fair = limit / callsPerSecond;
    // Once before, so that all Lambdas have started.
    await beside(fair);
    for (let turn = 0; turn < Number(values.rounds); turn += 1) {
      times.alone.push(await round());
      times.within.push(await beside(fair));
      statuses.clear();
      times.greedy.push(await beside(greed * fair));
    }
  } finally {
    await stack.stop();
  }
  return times;
}

function render(times: Record<Scene, number[][]>): string {
  const p99 = (all: readonly number[]): number => percentile(all, 0.99);
  const rows = Object.entries(times).map(([scene, its]) => ({
    'confirmations, ms': scenes[scene as Scene],
    number: formatNumber(its.flat().length),
    ...{ p50: median(its.flat()).toFixed(0), p99: p99(its.flat()).toFixed(0) },
    'p99, times that within its limit': (p99(its.flat()) / p99(times.within.flat())).toFixed(2),
  }));
  const answers = [...statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  return [
    `${describeMachine()}. The greedy neighbour asked to record ${greed * limit} events a second, of which it may record ${limit}; in its last round it was answered ${answers}.`,
    formatTable(rows),
  ].join('\n\n');
}

if (values.help) console.log(usage);
else {
  const report = render(await measure());
  console.log(report);
  if (values.write) await writeBlock('bench:neighbour', report);
}
