/** The API of the ledger, over the service's own code. The bearer token is the tenant's id. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { EventIndexStore } from '../../../core/events/event-index-store.ts';
import { hourOfRequest, rangeOf } from '../../../core/export/ledger/ledger-request.ts';
import { LedgerStore } from '../../../core/export/ledger/ledger-store.ts';
import { cursorText, listIds, readCursor } from '../../../core/export/ledger/list-ids.ts';
import { readLedger } from '../../../core/export/ledger/read-ledger.ts';
import { Refusal } from '../../../core/kernel/refusal.ts';
import { announce } from '../stack/server.ts';
import { names } from './database.ts';

/** Processor seconds, and calls of DynamoDB with the bytes of their answers. */
export type ServerUsage = { cpu: number; calls: number; bytes: number };

const client = documentClient();
const used = { calls: 0, bytes: 0 };
client.middlewareStack.add(
  (next) => async (args) => {
    const result = await next(args);
    const { headers = {} } = result.response as { headers?: Record<string, string> };
    used.calls += 1;
    used.bytes += Number(headers['content-length'] ?? 0);
    return result;
  },
  { step: 'deserialize', priority: 'low' },
);

const deps = {
  index: new EventIndexStore(client, names.events),
  ledger: new LedgerStore(client, names.ledger),
};

function usage(): ServerUsage {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1e6, ...used };
}

async function answer(url: URL, tenantId: string): Promise<unknown> {
  const { pathname, searchParams: query } = url;
  const now = Date.now();
  const target = { tenantId, category: 'public' as const };
  if (pathname === '/usage') return usage();
  if (pathname === '/omi/exports') return { exports: [{ category: 'public', state: 'active' }] };
  const hour = /\/ledger\/(.+)$/.exec(decodeURIComponent(pathname))?.[1];
  if (hour === undefined) {
    const range = rangeOf({ from: query.get('from') ?? '', to: query.get('to') ?? '' }, now);
    return { hours: await readLedger(deps, target, range, now) };
  }
  const name = hourOfRequest(hour, now);
  const text = query.get('cursor');
  const begin = text === null ? undefined : readCursor(text, name);
  const { eventIds, cursor } = await listIds(deps, { ...target, hour: name }, begin);
  return { eventIds, ...(cursor && { cursor: cursorText(cursor) }) };
}

const server = createServer((request, response) => {
  const tenantId = request.headers.authorization?.replace('Bearer ', '') ?? '';
  answer(new URL(request.url ?? '', 'http://localhost'), tenantId).then(
    (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    (error: unknown) => {
      const code = error instanceof Refusal ? error.code : 'internal-error';
      response.writeHead(503, { 'retry-after': '1' }).end(JSON.stringify({ code, detail: String(error) }));
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
