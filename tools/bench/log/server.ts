/** The API of a log, over the service's own code. The bearer token is the tenant's id. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { AcceptanceStore } from '../../../core/events/acceptance-store.ts';
import { checkpointBody, originOf, signedCheckpoint } from '../../../core/export/log/checkpoint.ts';
import { rootOfTree } from '../../../core/export/log/growing-tree.ts';
import { listLeaves, listMinutes } from '../../../core/export/log/list-minutes.ts';
import { LeafStore } from '../../../core/export/log/leaf-store.ts';
import { LogStore } from '../../../core/export/log/log-store.ts';
import { proveConsistency, proveInclusion } from '../../../core/export/log/prove.ts';
import { publicJwkOf } from '../../../core/keys/public-jwk.ts';
import { names } from '../ledger/database.ts';
import { announce } from '../stack/server.ts';

const client = documentClient();
const deps = {
  logs: new LogStore(client, names.log),
  leaves: new LeafStore(client, names.log),
  events: new AcceptanceStore(client, names.events),
};
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicJwkOf(publicKey.export({ type: 'spki', format: 'der' }), 'log');
const keys = [{ ...jwk, for: 'log', from: '2026-01-01T00:00:00.000Z' }];

const server = createServer((request, response) => {
  const tenantId = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const ref = { tenantId, category: 'public' as const };
  const url = new URL(request.url ?? '', `http://${request.headers.host ?? ''}`);
  answer(url, ref).then(
    (body) => response.setHeader('content-type', 'application/json').end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

type Ref = { tenantId: string; category: 'public' };

async function answer({ origin, pathname, searchParams }: URL, ref: Ref): Promise<string> {
  const text = (name: string): string => searchParams.get(name) ?? '';
  const number = (name: string): number => Number(text(name));
  if (pathname === '/.well-known/omi-keys') return JSON.stringify({ keys });
  const head = await deps.logs.head(ref);
  const path = decodeURIComponent(pathname).replace('/omi/exports/public/log/', '');
  switch (path) {
    case 'checkpoint':
      return await checkpointOf(origin, ref);
    case 'minutes': {
      const range = { from: Date.parse(text('from')), to: Date.parse(text('to')) };
      return JSON.stringify({ minutes: await listMinutes(deps, head, range) });
    }
    case 'proofs/consistency':
      return JSON.stringify(await proveConsistency(deps, head, { from: number('from'), to: number('to') }));
    case 'proofs/inclusion': {
      const event = {
        category: 'public' as const,
        eventId: text('eventId'),
        aggregateId: text('aggregateId'),
      };
      return JSON.stringify(await proveInclusion(deps, head, event, head.tree.size));
    }
    default:
      return JSON.stringify(await listLeaves(deps, head, path.replace('minutes/', ''), number('cursor')));
  }
}

async function checkpointOf(baseUrl: string, ref: Ref): Promise<string> {
  const { log, tree } = await deps.logs.head(ref);
  const checkpoint = {
    origin: originOf(baseUrl, ref, log.generation),
    size: tree.size,
    root: rootOfTree(tree),
  };
  const signature = sign('sha256', Buffer.from(checkpointBody(checkpoint)), privateKey);
  return await signedCheckpoint(checkpoint, {
    kid: jwk.kid,
    key: { signDer: async () => await Promise.resolve(signature) },
  });
}

server.listen(0, '127.0.0.1', () => {
  announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
