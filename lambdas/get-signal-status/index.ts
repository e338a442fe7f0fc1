import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { streamStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { requireStream } from '../../core/signals/configure-stream.ts';
import { streamQuery } from '../../core/signals/requests.ts';
import { statusView } from '../../core/signals/stream.ts';
import { environment } from './definition.ts';

const { streams } = streamStores(parseEnvironment(environment, process.env));

const request = v.object({ query: streamQuery });

/** OpenID Shared Signals Framework 1.0, section 8.1.2.1. */
export const handler = bodilessLambda(
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller }) =>
    json(200, statusView(await requireStream(streams, caller, streamId))),
  ),
);
