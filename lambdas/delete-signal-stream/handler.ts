import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { deleteStream, type DeleteDeps } from '../../core/signals/delete-stream.ts';
import { streamQuery } from '../../core/signals/requests.ts';

const request = v.object({ query: streamQuery });

export const createHandler = (deps: DeleteDeps) =>
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller, now }) => {
    await deleteStream(deps, caller, streamId, now);
    return noContent;
  });
