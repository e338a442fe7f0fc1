import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { verificationBody } from '../../core/signals/requests.ts';
import { verifyStream, type VerifyDeps } from '../../core/signals/verify-stream.ts';

const request = v.object({ body: verificationBody });

export const createHandler = (deps: VerifyDeps) =>
  websiteHandler(request, async ({ body: { stream_id: streamId, state } }, { caller, now }) => {
    await verifyStream(deps, caller, { streamId, state }, now);
    return noContent;
  });
