import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffUserPath, staffUserQuery } from '../../core/staff/requests.ts';
import type { AskedConfirmations } from '../../core/staff/asked-confirmation-store.ts';
import { type UserDeps, viewUser } from '../../core/staff/users.ts';

const request = v.object({ path: staffUserPath, query: staffUserQuery });

export const createHandler = (deps: UserDeps & { asked: AskedConfirmations }) =>
  staffHandler(request, async ({ path: { userId }, query: { tenantId, before } }, context) =>
    json(200, await viewUser(deps, { tenantId, userId }, before, context)),
  );
