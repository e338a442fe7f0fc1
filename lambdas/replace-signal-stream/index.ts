import { jsonLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { configureDeps } from '../../core/lambda/signals-wiring.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { replaceStream } from '../../core/signals/configure-stream.ts';
import { changedStream } from '../../core/signals/requests.ts';
import { configurationOf } from '../../core/signals/stream.ts';
import { environment } from './definition.ts';

const deps = configureDeps(parseEnvironment(environment, process.env));

const request = v.object({ body: changedStream });

export const handler = jsonLambda(
  websiteHandler(request, async ({ body }, { caller }) =>
    json(200, configurationOf(await replaceStream(deps, caller, body), deps.issuer)),
  ),
);
