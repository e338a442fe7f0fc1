import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { LedgerStore } from '../../core/export/ledger/ledger-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { rangeOf } from '../../core/export/ledger/ledger-request.ts';
import { readLedger } from '../../core/export/ledger/read-ledger.ts';
import { categoryPath, ledgerQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { ledgerAnswer } from './answer.ts';
import { environment } from './definition.ts';

const { EVENTS_TABLE, LEDGER_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  index: new EventIndexStore(client, EVENTS_TABLE),
  ledger: new LedgerStore(client, LEDGER_TABLE),
};

const request = v.object({ path: categoryPath, query: ledgerQuery });

export const handler = listLambda(
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId }, now }) => {
    const range = rangeOf(query, now);
    return ledgerAnswer(await readLedger(deps, { tenantId, category }, range, now));
  }),
);
