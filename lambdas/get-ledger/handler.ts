import * as v from 'valibot';
import { checkSize, rangeOf } from '../../core/export/ledger/ledger-request.ts';
import { readLedger, type LedgerDeps } from '../../core/export/ledger/read-ledger.ts';
import { categoryPath, ledgerQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: categoryPath, query: ledgerQuery });

export const createHandler = (deps: LedgerDeps) =>
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId }, now }) => {
    const range = rangeOf(query, now);
    const answer = json(200, { hours: await readLedger(deps, { tenantId, category }, range, now) });
    checkSize(answer);
    return answer;
  });
