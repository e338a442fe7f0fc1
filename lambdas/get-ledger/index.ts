import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { LedgerStore } from '../../core/export/ledger/ledger-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { environment } from './definition.ts';
import { createHandler } from './handler.ts';

const { EVENTS_TABLE, LEDGER_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();

export const handler = listLambda(
  createHandler({
    index: new EventIndexStore(client, EVENTS_TABLE),
    ledger: new LedgerStore(client, LEDGER_TABLE),
  }),
);
