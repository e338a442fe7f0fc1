import { randomUUID } from 'node:crypto';
import { Exports, reconcile } from '#consumer';
import { hours } from '../../../core/kernel/time.ts';
import { startServer } from '../stack/server.ts';
import { fill, type Database, type Own } from './database.ts';
import type { ServerUsage } from './server.ts';

/** One thing that was asked, as often as the service said that there is more to do. `ownCpu`: of the one who asked. */
export type Figures = ServerUsage & { what: string; seconds: number; requests: number; ownCpu: number };

type Ask = () => Promise<unknown>;

const days = 24 * hours;
class Unfinished extends Error {}

const ownCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Asks again while the service says that there is more to count. */
async function measureOne(url: string, what: string, ask: Ask): Promise<Figures> {
  const usage = async () => (await (await fetch(`${url}/usage`)).json()) as ServerUsage;
  const before = await usage();
  const [began, cpuBegan] = [performance.now(), ownCpu()];
  let [requests, isAnswered] = [0, false];
  while (!isAnswered) {
    requests += 1;
    isAnswered = await ask().then(
      () => true,
      (error: unknown) => {
        if (error instanceof Unfinished) return false;
        throw error;
      },
    );
  }
  const [seconds, own, after] = [(performance.now() - began) / 1000, ownCpu() - cpuBegan, await usage()];
  const [cpu, calls, bytes] = [
    after.cpu - before.cpu,
    after.calls - before.calls,
    after.bytes - before.bytes,
  ];
  return { what, seconds, requests, ownCpu: own, cpu, calls, bytes };
}

function* copyOf(tenantId: string, own: readonly Own[]) {
  for (const { eventId, type, acceptedAt } of own)
    yield {
      metadata: {
        ...{ eventId, type, tenantId, category: 'public' as const, aggregateId: 'user' },
        ...{ metadataVersion: '1.0' as const },
        ...{ occurredTime: new Date(acceptedAt).toISOString(), payloadVersion: '1.1' },
        ...{ producerId: 'omi', producerInstanceId: 'one' },
      },
      payload: {},
    };
}

export async function measure({ client }: Database, count: number): Promise<Figures[]> {
  const now = Math.floor(Date.now() / hours) * hours;
  const hour = now - 5 * hours;
  const [few, busy] = [randomUUID(), randomUUID()];
  for (let day = 0; day < 13; day += 1) await fill(client, few, now - day * days - 3 * hours, 5);
  const own = await fill(client, busy, hour, count);
  const server = await startServer('tools/bench/ledger/server.ts');
  try {
    const ledger = (tenantId: string, from: number, to: number): Ask => {
      const query = new URLSearchParams({
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
      });
      return async () => {
        const headers = { authorization: `Bearer ${tenantId}` };
        const { status } = await fetch(`${server.url}/omi/exports/public/ledger?${query.toString()}`, {
          headers,
        });
        if (status === 503) throw new Unfinished();
      };
    };
    const token = async () => await Promise.resolve(busy);
    const exports = new Exports({ baseUrl: server.url, token });
    const range = { exports, category: 'public' as const, from: new Date(hour), to: new Date(hour + hours) };
    const reconciled = async (copy: readonly Own[], missing: number): Promise<void> => {
      const result = await reconcile({ ...range, copy: copyOf(busy, copy) });
      if (result.missingCount !== missing) throw new Error(`${result.missingCount} events are missing`);
    };
    const ids = async (): Promise<void> => {
      let listed = 0;
      const name = `${new Date(hour).toISOString().slice(0, 13)}:00:00Z`;
      for await (const id of exports.eventIds('public', name)) listed += Number(id !== '');
      if (listed !== count) throw new Error(`${listed} ids were listed.`);
    };
    const fewDays = ledger(few, now - 14 * days, Date.now());
    const label = new Intl.NumberFormat('en-GB').format(count);
    const asked: [string, Ask][] = [
      ['14 days with 5 events a day, first', fewDays],
      ['14 days with 5 events a day, later', fewDays],
      [`an hour of ${label}, first`, ledger(busy, hour, hour + hours)],
      [`an hour of ${label}, later`, ledger(busy, hour, hour + hours)],
      [`the ids of ${label}`, ids],
      [`reconcile: ${label} are complete, by digests`, async () => await reconciled(own, 0)],
      [`reconcile: one of ${label} is missing, by ids`, async () => await reconciled(own.slice(1), 1)],
    ];
    const figures: Figures[] = [];
    for (const [what, ask] of asked) figures.push(await measureOne(server.url, what, ask));
    return figures;
  } finally {
    await server.stop();
  }
}
