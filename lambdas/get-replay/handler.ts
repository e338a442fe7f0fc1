import * as v from 'valibot';
import { replayView, requireReplay } from '../../core/export/replays/replay-by-tenant.ts';
import type { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { replayPath } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: replayPath });

export type Deps = { replays: Pick<ReplayStore, 'find'> };

export const createHandler = ({ replays }: Deps) =>
  websiteHandler(request, async ({ path }, { caller: { tenantId } }) =>
    json(200, replayView(await requireReplay(replays, { tenantId, ...path }))),
  );
