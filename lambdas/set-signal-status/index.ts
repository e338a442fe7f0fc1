import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { polledStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { statusBody } from '../../core/signals/requests.ts';
import { statusView } from '../../core/signals/stream.ts';
import { setStatus } from '../../core/signals/stream-status.ts';
import { environment } from './definition.ts';

const deps = polledStores(parseEnvironment(environment, process.env));

const request = v.object({ body: statusBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ body: { stream_id: streamId, status, reason } }, { caller, now }) =>
    json(200, statusView(await setStatus(deps, caller, { streamId, status, reason }, now))),
  ),
);
