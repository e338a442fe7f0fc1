import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { checkPath, numberBody } from '../../core/staff/requests.ts';
import { type CheckDeps, checkView, compareNumber } from '../../core/staff/caller-check.ts';

const request = v.object({ path: checkPath, body: numberBody });

export const createHandler = (deps: Pick<CheckDeps, 'confirmations' | 'log'>) =>
  staffHandler(request, async ({ path, body }, context) =>
    json(200, checkView(await compareNumber(deps, { ...path, ...body }, context), context.now)),
  );
