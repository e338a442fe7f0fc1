import * as v from 'valibot';
import { rangeOf } from '../../core/export/ledger/ledger-request.ts';
import { readLedger, type LedgerDeps } from '../../core/export/ledger/read-ledger.ts';
import { categoryPath, ledgerQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { ledgerAnswer } from './answer.ts';

const request = v.object({ path: categoryPath, query: ledgerQuery });

export const createHandler = (deps: LedgerDeps) =>
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId }, now }) => {
    const range = rangeOf(query, now);
    return ledgerAnswer(await readLedger(deps, { tenantId, category }, range, now));
  });
