import * as v from 'valibot';
import { replayView } from '../../core/export/replays/replay-by-tenant.ts';
import { replayBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath } from '../../core/staff/requests.ts';
import { replayExport, type StaffReplayDeps } from '../../core/staff/exports.ts';

const request = v.object({ path: staffExportPath, body: replayBody });

export const createHandler = (deps: StaffReplayDeps) =>
  staffHandler(request, async ({ path, body }, context) =>
    json(202, replayView(await replayExport(deps, { ...path, ...body }, context))),
  );
