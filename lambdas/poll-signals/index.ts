import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { polledStores } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { pollSignals } from '../../core/signals/poll-signals.ts';
import { pollBody, pollPath } from '../../core/signals/requests.ts';
import { environment } from './definition.ts';

const deps = polledStores(parseEnvironment(environment, process.env));

const request = v.object({ path: pollPath, body: pollBody });

export const handler = jsonLambda(
  websiteHandler(request, async ({ path: { streamId }, body }, { caller }) =>
    json(200, await pollSignals(deps, caller, streamId, body)),
  ),
  {
    isOptional: true,
  },
);
