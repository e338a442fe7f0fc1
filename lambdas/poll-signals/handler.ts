import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { pollSignals, type PollDeps } from '../../core/signals/poll-signals.ts';
import { pollBody, pollPath } from '../../core/signals/requests.ts';

const request = v.object({ path: pollPath, body: pollBody });

export const createHandler = (deps: PollDeps) =>
  websiteHandler(request, async ({ path: { streamId }, body }, { caller }) =>
    json(200, await pollSignals(deps, caller, streamId, body)),
  );
