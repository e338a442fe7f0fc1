import * as v from 'valibot';
import { findLog } from '../../core/export/log/find-log.ts';
import type { LogStore } from '../../core/export/log/log-store.ts';
import { proveConsistency } from '../../core/export/log/prove.ts';
import { categoryPath, consistencyQuery } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: categoryPath, query: consistencyQuery });

export type Deps = { logs: LogStore };

export const createHandler = (deps: Deps) =>
  websiteHandler(request, async ({ path: { category }, query }, { caller: { tenantId } }) => {
    const head = await findLog(deps.logs, { tenantId, category }, query.generation);
    return json(200, await proveConsistency(deps, head, query));
  });
