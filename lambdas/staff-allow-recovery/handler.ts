import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { recoveryBody, staffUserPath } from '../../core/staff/requests.ts';
import { allowRecovery, type RecoveryDeps } from '../../core/staff/recovery.ts';
import { recoveryView } from '../../core/staff/users.ts';

const request = v.object({ path: staffUserPath, body: recoveryBody });

export const createHandler = (deps: RecoveryDeps) =>
  staffHandler(request, async ({ path, body }, context) =>
    json(200, recoveryView(await allowRecovery(deps, { ...path, ...body }, context), context.now)),
  );
