import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { requireStream } from '../../core/signals/configure-stream.ts';
import { anyStreamQuery } from '../../core/signals/requests.ts';
import { configurationOf } from '../../core/signals/stream.ts';
import type { StreamStore } from '../../core/signals/stream-store.ts';

const request = v.object({ query: anyStreamQuery });

export type Deps = { streams: Pick<StreamStore, 'find' | 'list'>; issuer: string };

/** OpenID Shared Signals Framework 1.0, section 8.1.1.2: a stream, or all streams of the client. */
export const createHandler = ({ streams, issuer }: Deps) =>
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller }) => {
    if (streamId !== undefined)
      return json(200, configurationOf(await requireStream(streams, caller, streamId), issuer));
    const all = await streams.list(caller);
    return json(
      200,
      all.map((stream) => configurationOf(stream, issuer)),
    );
  });
