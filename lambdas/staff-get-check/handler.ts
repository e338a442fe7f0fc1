import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkPath, tenantQuery } from '../../core/staff/requests.ts';
import { type CheckDeps, checkView, findCheck } from '../../core/staff/caller-check.ts';

const request = v.object({ path: checkPath, query: tenantQuery });

export const createHandler = (deps: Pick<CheckDeps, 'confirmations'>) =>
  staffHandler(request, async ({ path, query: { tenantId } }, context) =>
    json(200, checkView(await findCheck(deps, { ...path, tenantId }, context), context.now)),
  );
