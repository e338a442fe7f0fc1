import { fileURLToPath } from 'node:url';
import { Omi } from '#website';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { readSecretText } from '../../../core/aws/secret-reader-client.ts';
import { describeFault, logger } from '../../../core/kernel/observability.ts';
import { parseEnvironment } from '../../../core/lambda/environment.ts';
import { createBank } from '../server/bank.ts';
import { LiveFeed } from '../server/live/live-feed.ts';
import { accountStore } from './account-table-store.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { environment } from './env.ts';
import { createHandler } from './handler.ts';
import { TableLog } from './live-log-store.ts';
import { pageFiles } from './page-files.ts';
import { createSite } from './site.ts';
import { valueStore } from './value-store.ts';
import { ofVisitor, withVisitor } from './visitor.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const onError = (error: unknown): void => {
  logger.error('A part of the demo bank failed', { fault: describeFault(error) });
};

const table = { table: env.DEMO_TABLE };
const log = new TableLog(client, { ...table, onError });

function bankOf({ baseUrl, tokenUrl, tenantId, clients }: Connection, origin: string) {
  const live = new LiveFeed({ log });
  const options = { baseUrl, tokenUrl, tenantId, fetch: live.recording(baseUrl, fetch) };
  const bank = createBank({
    origin,
    userIdOf: ofVisitor,
    omi: new Omi({ ...options, ...clients.bank }),
    omiForLimits: new Omi({ ...options, ...clients.limits }),
    store: valueStore(client, table),
    accounts: accountStore(client, table),
    live,
    onError,
  });
  return withVisitor(bank);
}

const connections = new Connections({ readSecret: async () => await readSecretText(env.DEMO_SECRET_ARN) });

export const handler = createHandler({
  log,
  site: createSite({
    connection: async () => await connections.current(),
    bankOf,
    file: pageFiles(fileURLToPath(new URL('page', import.meta.url))),
  }),
});
