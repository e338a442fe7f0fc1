import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventIndexStore } from '../../core/events/event-index-store.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import * as v from 'valibot';
import { hourOfRequest } from '../../core/export/ledger/ledger-request.ts';
import { cursorText, listIds, readCursor, type IdCursor } from '../../core/export/ledger/list-ids.ts';
import { cursorQuery, ledgerHourPath } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { invalidField } from '../../core/kernel/refusal.ts';
import { environment } from './definition.ts';

const { EVENTS_TABLE } = parseEnvironment(environment, process.env);
const deps = { index: new EventIndexStore(documentClient(), EVENTS_TABLE) };

const request = v.object({ path: ledgerHourPath, query: cursorQuery });

function placeOf(text: string | undefined, hour: string): IdCursor | undefined {
  if (text === undefined) return undefined;
  const cursor = readCursor(text, hour);
  if (!cursor) throw invalidField('#/query/cursor', 'expected the cursor of an earlier answer for this hour');
  return cursor;
}

export const handler = listLambda(
  websiteHandler(request, async ({ path, query }, { caller: { tenantId }, now }) => {
    const target = { tenantId, category: path.category, hour: hourOfRequest(path.hour, now) };
    const { eventIds, cursor } = await listIds(deps, target, placeOf(query.cursor, target.hour));
    return json(200, { eventIds, ...(cursor && { cursor: cursorText(cursor) }) });
  }),
);
