import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkBody, staffUserPath } from '../../core/staff/requests.ts';
import { checkCaller, type CheckDeps, checkView } from '../../core/staff/caller-check.ts';

const request = v.object({ path: staffUserPath, body: checkBody });

export const createHandler = (deps: CheckDeps) =>
  staffHandler(request, async ({ path, body }, context) =>
    json(202, checkView(await checkCaller(deps, { ...path, ...body }, context), context.now)),
  );
