import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { createStream, type ConfigureDeps } from '../../core/signals/configure-stream.ts';
import { newStream } from '../../core/signals/requests.ts';
import { configurationOf } from '../../core/signals/stream.ts';

const request = v.object({ body: newStream });

export const createHandler = (deps: ConfigureDeps) =>
  websiteHandler(request, async ({ body }, { caller, now }) =>
    json(201, configurationOf(await createStream(deps, caller, body, now), deps.issuer)),
  );
