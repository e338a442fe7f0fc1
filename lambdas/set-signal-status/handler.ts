import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { statusBody } from '../../core/signals/requests.ts';
import { statusView } from '../../core/signals/stream.ts';
import { setStatus, type StatusDeps } from '../../core/signals/stream-status.ts';

const request = v.object({ body: statusBody });

export const createHandler = (deps: StatusDeps) =>
  websiteHandler(request, async ({ body: { stream_id: streamId, status, reason } }, { caller, now }) =>
    json(200, statusView(await setStatus(deps, caller, { streamId, status, reason }, now))),
  );
