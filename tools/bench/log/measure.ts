import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Exports, type OmiKeys, verifyLog } from '#consumer';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { EventArchiveStore } from '../../../core/events/event-archive-store.ts';
import { EventIndexStore } from '../../../core/events/event-index-store.ts';
import { BusyMinuteStore } from '../../../core/export/log/busy-minute-store.ts';
import { closeMinutes, type ClosingDeps } from '../../../core/export/log/close-minutes.ts';
import { LeafStore } from '../../../core/export/log/leaf-store.ts';
import { LogStore } from '../../../core/export/log/log-store.ts';
import { endOf, minuteOf, openForMs } from '../../../core/export/log/minute.ts';
import { hours, minutes } from '../../../core/kernel/time.ts';
import { eventOf, fill, names, type Own } from '../ledger/database.ts';
import { startServer } from '../stack/server.ts';

/** What was asked for, so often, and how long it took, in milliseconds. */
export type Figures = { what: string; times: readonly number[] };

const category = 'public' as const;
const proofs = 50;

/** Closes, proves and verifies an hour with so many events of one tenant. */
export async function measure(client: DynamoDBDocumentClient, count: number): Promise<Figures[]> {
  const tenantId = randomUUID();
  const hour = Math.floor(Date.now() / hours) * hours - 3 * hours;
  const own = await fill(client, tenantId, hour, count);
  const closing = await closeHour(tenantId, hour);
  const server = await startServer('tools/bench/log/server.ts');
  try {
    const exports = new Exports({ baseUrl: server.url, token: async () => await Promise.resolve(tenantId) });
    return [
      { what: `closing a minute of ${Math.round(count / 60)} events`, times: closing },
      { what: 'an inclusion proof, by the API', times: await proveSome(exports, tenantId, own) },
      {
        what: `\`verifyLog\` of a day with ${count} events`,
        times: [await verifyDay(exports, server.url, tenantId, own)],
      },
    ];
  } finally {
    await server.stop();
  }
}

const unsigned = async (): Promise<never> => await Promise.reject(new Error('There is no key.'));

/** As the Lambda does it, a minute after the other. It looks at each minute again until its events cannot be late any more. */
async function closeHour(tenantId: string, hour: number): Promise<number[]> {
  const client = documentClient();
  const busy = new BusyMinuteStore(client, names.log);
  const logs = new LogStore(client, names.log);
  const deps: ClosingDeps = {
    busy,
    index: new EventIndexStore(client, names.events),
    archive: new EventArchiveStore(client, names.events),
    logs,
    leaves: new LeafStore(client, names.log),
    // Closing signs only after a restore.
    checkpoints: { logs, key: { kid: '', key: { signDer: unsigned } }, baseUrl: 'https://api.omi.example' },
  };
  const times: number[] = [];
  for (let begin = hour; begin < hour + hours; begin += minutes) {
    const minute = minuteOf(begin);
    await busy.mark([{ ref: { tenantId, category }, minute }], begin);
    const began = performance.now();
    await closeMinutes(deps, endOf(minute) + openForMs, Number.POSITIVE_INFINITY);
    times.push(performance.now() - began);
  }
  client.destroy();
  return times;
}

async function proveSome(exports: Exports, tenantId: string, own: readonly Own[]): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < proofs; index += 1) {
    const place = Math.floor((own.length * (index + 0.5)) / proofs);
    const event = own[place];
    if (!event) throw new RangeError('There are no events to prove.');
    const { aggregateId } = eventOf(tenantId, event, place).metadata;
    const began = performance.now();
    await exports.inclusionProof(category, { eventId: event.eventId, aggregateId });
    times.push(performance.now() - began);
  }
  return times;
}

function* textsOf(tenantId: string, own: readonly Own[]): Generator<string> {
  for (const [index, event] of own.entries()) yield JSON.stringify(eventOf(tenantId, event, index));
}

async function verifyDay(
  exports: Exports,
  baseUrl: string,
  tenantId: string,
  own: readonly Own[],
): Promise<number> {
  const keys = (await (await fetch(`${baseUrl}/.well-known/omi-keys`)).json()) as OmiKeys;
  const from = new Date((own[0]?.acceptedAt ?? 0) - 12 * hours);
  const to = new Date(from.getTime() + 24 * hours);
  const began = performance.now();
  const options = { exports, category, tenantId, baseUrl, keys, from, to };
  const { ok, compared, findings } = await verifyLog({ ...options, copy: textsOf(tenantId, own) });
  if (!ok || compared !== own.length)
    throw new Error(`${compared} events were compared: ${JSON.stringify(findings.slice(0, 3))}`);
  return performance.now() - began;
}
