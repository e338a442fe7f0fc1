import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { requireStream } from '../../core/signals/configure-stream.ts';
import { streamQuery } from '../../core/signals/requests.ts';
import { statusView } from '../../core/signals/stream.ts';
import type { StreamStore } from '../../core/signals/stream-store.ts';

const request = v.object({ query: streamQuery });

export type Deps = { streams: Pick<StreamStore, 'find'> };

/** OpenID Shared Signals Framework 1.0, section 8.1.2.1. */
export const createHandler = ({ streams }: Deps) =>
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller }) =>
    json(200, statusView(await requireStream(streams, caller, streamId))),
  );
