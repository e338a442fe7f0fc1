import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { polledStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { deleteStream } from '../../core/signals/delete-stream.ts';
import { streamQuery } from '../../core/signals/requests.ts';
import { environment } from './definition.ts';

const deps = polledStores(parseEnvironment(environment, process.env));

const request = v.object({ query: streamQuery });

export const handler = bodilessLambda(
  websiteHandler(request, async ({ query: { stream_id: streamId } }, { caller, now }) => {
    await deleteStream(deps, caller, streamId, now);
    return noContent;
  }),
);
