import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { streamStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { requireStream } from '../../core/signals/configure-stream.ts';
import { anyStreamQuery } from '../../core/signals/requests.ts';
import { configurationOf } from '../../core/signals/stream.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const streams = streamStores(env).streams;

const request = v.object({ query: anyStreamQuery });

/** OpenID Shared Signals Framework 1.0, section 8.1.1.2: a stream, or all streams of the client. */
export const handler = bodilessLambda(
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller }) => {
    if (streamId !== undefined)
      return json(200, configurationOf(await requireStream(streams, caller, streamId), env.BASE_URL));
    const all = await streams.list(caller);
    return json(
      200,
      all.map((stream) => configurationOf(stream, env.BASE_URL)),
    );
  }),
);
