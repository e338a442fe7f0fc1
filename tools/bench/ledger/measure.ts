import { randomUUID } from 'node:crypto';
import { Exports, reconcile, type Event } from '#consumer';
import { hours } from '../../../core/kernel/time.ts';
import type { ServerUsage } from '../api/servers/ledger.ts';
import { type Server, startServer } from '../stack/server.ts';
import type { Database } from './database.ts';
import { fill, type Own } from './fill.ts';
import { measureReplays, type ReplayFigures } from './replays.ts';

/** One thing that was asked, as often as the service said that there is more to do. */
export type LedgerFigures = {
  what: string;
  seconds: number;
  requests: number;
  /** Of the service alone. */
  cpu: number;
  calls: number;
  bytes: number;
  /** Of the one who asked. */
  ownCpu: number;
};

export type Figures = {
  ledger: LedgerFigures[];
  replays: ReplayFigures[];
  filled: { events: number; seconds: number };
  rss: { service: number; consumer: number };
};

export type Size = { large: number; middle: number; replayed: number };

const days = 24 * hours;

type Ask = () => Promise<unknown>;

const ownCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

class Bench {
  readonly figures: LedgerFigures[] = [];
  readonly server: Server;
  readonly #report: (line: string) => void;

  constructor(server: Server, report: (line: string) => void) {
    this.server = server;
    this.#report = report;
  }

  async usage(): Promise<ServerUsage> {
    return (await (await fetch(`${this.server.url}/usage`)).json()) as ServerUsage;
  }

  exportsOf(tenantId: string): Exports {
    return new Exports({ baseUrl: this.server.url, token: async () => await Promise.resolve(tenantId) });
  }

  /** Asks again while the service says that there is more to count. */
  async measure(what: string, ask: Ask): Promise<void> {
    const before = await this.usage();
    const [began, cpu] = [performance.now(), ownCpu()];
    let requests = 1;
    while (!(await isAnswered(ask))) requests += 1;
    const seconds = (performance.now() - began) / 1000;
    const own = ownCpu() - cpu;
    const after = await this.usage();
    const figures = {
      what,
      seconds,
      requests,
      cpu: after.cpu - before.cpu,
      calls: after.calls - before.calls,
      bytes: after.bytes - before.bytes,
      ownCpu: own,
    };
    this.figures.push(figures);
    this.#report(JSON.stringify(figures));
  }

  ledger(tenantId: string, from: number, to: number): Ask {
    const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
    return async () => {
      const headers = { authorization: `Bearer ${tenantId}` };
      const response = await fetch(`${this.server.url}/omi/exports/public/ledger?${query.toString()}`, {
        headers,
      });
      const body = await response.json();
      if (response.status === 503) throw new Unfinished();
      return body;
    };
  }
}

class Unfinished extends Error {
  override readonly name = 'Unfinished';
}

async function isAnswered(ask: Ask): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof Unfinished) return false;
    throw error;
  }
}

function* copyOf(tenantId: string, own: readonly Own[]): Generator<Event> {
  for (const { eventId, type, acceptedAt } of own)
    yield {
      metadata: {
        eventId,
        type,
        tenantId,
        category: 'public',
        aggregateId: 'user',
        metadataVersion: '1.0',
        occurredTime: new Date(acceptedAt).toISOString(),
        payloadVersion: '1.1',
        producerId: 'omi',
        producerInstanceId: 'one',
      },
      payload: {},
    };
}

/** Fails if the figures would not be those of a right result. */
function expectResult(
  isComplete: boolean,
  missing: number,
  result: Awaited<ReturnType<typeof reconcile>>,
): void {
  if (result.complete !== isComplete || result.missingCount !== missing)
    throw new Error(`Another result than expected: ${result.missingCount} events are missing.`);
}

export async function measure(
  { client }: Database,
  { large, middle, replayed }: Size,
  report: (line: string) => void,
): Promise<Figures> {
  const now = Math.floor(Date.now() / hours) * hours;
  const [largeHour, middleHour] = [now - 5 * hours, now - 8 * hours];
  const [few, busy, sent] = [randomUUID(), randomUUID(), randomUUID()];
  const began = performance.now();
  for (let day = 0; day < 13; day += 1)
    await fill(client, { tenantId: few, from: now - day * days - 3 * hours, count: 5 });
  await fill(client, { tenantId: busy, from: middleHour, count: middle });
  report(`${middle} events stored, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const own = await fill(client, { tenantId: busy, from: largeHour, count: large });
  const filled = { events: large + middle, seconds: (performance.now() - began) / 1000 };
  report(`${large} events stored, ${filled.seconds.toFixed(0)} s`);
  // Of the running hour, up to a minute ago.
  const length = Math.max(60_000, Date.now() - now - 60_000);
  await fill(client, { tenantId: sent, from: now, count: Math.ceil(middle / 2), length });

  const server = await startServer('ledger');
  try {
    const bench = new Bench(server, report);
    const end = (): number => Date.now();
    await bench.measure('14 days with 5 events a day, first', bench.ledger(few, now - 14 * days, end()));
    await bench.measure('14 days with 5 events a day, later', bench.ledger(few, now - 14 * days, end()));
    const label = (count: number): string => new Intl.NumberFormat('en-GB').format(count);
    for (const [count, from] of [
      [middle, middleHour],
      [large, largeHour],
    ] as const) {
      await bench.measure(`an hour of ${label(count)}, first`, bench.ledger(busy, from, from + hours));
      await bench.measure(`an hour of ${label(count)}, later`, bench.ledger(busy, from, from + hours));
    }
    const running = `the running hour with ${label(Math.ceil(middle / 2))}`;
    await bench.measure(`${running}, first`, bench.ledger(sent, now, end()));
    await bench.measure(`${running}, later`, bench.ledger(sent, now, end()));
    await bench.measure('14 days with these two hours', bench.ledger(busy, now - 14 * days, end()));
    const exports = bench.exportsOf(busy);
    const hour = `${new Date(largeHour).toISOString().slice(0, 13)}:00:00Z`;
    await bench.measure(`the ids of ${label(large)}`, async () => {
      let count = 0;
      for await (const id of exports.eventIds('public', hour)) count += id === '' ? 0 : 1;
      if (count !== large) throw new Error(`${count} ids were listed.`);
    });
    const range = {
      exports,
      category: 'public' as const,
      from: new Date(largeHour),
      to: new Date(largeHour + hours),
    };
    await bench.measure(`reconcile: ${label(large)} are complete, by digests`, async () => {
      expectResult(true, 0, await reconcile({ ...range, copy: copyOf(busy, own) }));
    });
    await bench.measure(`reconcile: one of ${label(large)} is missing, by ids`, async () => {
      const result = await reconcile({ ...range, copy: copyOf(busy, own.slice(1)) });
      expectResult(false, 1, result);
      if (result.missing[0] !== own[0]?.eventId) throw new Error('Another event was named.');
    });
    const rss = { service: (await bench.usage()).rss, consumer: process.memoryUsage.rss() };
    const replayFrom = now - 3 * hours;
    await fill(client, { tenantId: sent, from: replayFrom, count: replayed }, true);
    const replays = await measureReplays({ tenantId: sent, from: replayFrom, to: replayFrom + hours });
    for (const one of replays) report(JSON.stringify(one));
    return { ledger: bench.figures, replays, filled, rss };
  } finally {
    await server.stop();
  }
}
