import * as v from 'valibot';
import { findLog } from '../../core/export/log/find-log.ts';
import { listLeaves, type ListDeps } from '../../core/export/log/list-minutes.ts';
import type { LogStore } from '../../core/export/log/log-store.ts';
import { leavesQuery, minutePath } from '../../core/http/request-schemas.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: minutePath, query: leavesQuery });

export type Deps = ListDeps & { logs: LogStore };

export const createHandler = (deps: Deps) =>
  websiteHandler(request, async ({ path: { category, minute }, query }, { caller: { tenantId } }) => {
    const head = await findLog(deps.logs, { tenantId, category }, query.generation);
    return json(200, await listLeaves(deps, head, minute, query.cursor ?? 0));
  });
