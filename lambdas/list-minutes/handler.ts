import * as v from 'valibot';
import { rangeOfTimes } from '../../core/export/ledger/ledger-request.ts';
import { findLog } from '../../core/export/log/find-log.ts';
import { listMinutes } from '../../core/export/log/list-minutes.ts';
import type { LogStore } from '../../core/export/log/log-store.ts';
import { categoryPath, minutesQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: categoryPath, query: minutesQuery });

export type Deps = { logs: LogStore };

export const createHandler = (deps: Deps) =>
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const { generation, ...times } = query;
    const range = rangeOfTimes(times);
    const head = await findLog(deps.logs, { tenantId, category }, generation);
    return json(200, { minutes: await listMinutes(deps, head, range) });
  });
