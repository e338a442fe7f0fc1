import * as v from 'valibot';
import { replayView, requireReplay } from '../../core/export/replays/replay-by-tenant.ts';
import type { ReplayStore } from '../../core/export/replays/replay-store.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffReplayPath } from '../../core/staff/requests.ts';

const request = v.object({ path: staffReplayPath });

export type Deps = { replays: Pick<ReplayStore, 'find'> };

export const createHandler = ({ replays }: Deps) =>
  staffHandler(request, async ({ path }) => json(200, replayView(await requireReplay(replays, path))));
