import * as v from 'valibot';
import {
  clampedView,
  replayByTenant,
  replayView,
  type TenantReplayDeps,
} from '../../core/export/replays/replay-by-tenant.ts';
import { exportPath, replayBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: exportPath, body: replayBody });

export const createHandler = (deps: TenantReplayDeps) =>
  websiteHandler(request, async ({ path: { category }, body }, { caller: { tenantId }, now }) => {
    const progress = await replayByTenant(deps, { tenantId, category, ...body }, now);
    return json(202, { ...replayView(progress), ...clampedView(body, progress) });
  });
