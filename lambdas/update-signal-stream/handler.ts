import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { updateStream, type ConfigureDeps } from '../../core/signals/configure-stream.ts';
import { changedStream } from '../../core/signals/requests.ts';
import { configurationOf } from '../../core/signals/stream.ts';

const request = v.object({ body: changedStream });

export const createHandler = (deps: ConfigureDeps) =>
  websiteHandler(request, async ({ body }, { caller }) =>
    json(200, configurationOf(await updateStream(deps, caller, body), deps.issuer)),
  );
