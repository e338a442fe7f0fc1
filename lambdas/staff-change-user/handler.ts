import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffUserPath, userActBody } from '../../core/staff/requests.ts';
import { changeUser, type UserDeps } from '../../core/staff/users.ts';

const request = v.object({ path: staffUserPath, body: userActBody });

export const createHandler = (deps: UserDeps) =>
  staffHandler(request, async ({ path: { userId }, body: { tenantId, act } }, context) => {
    await changeUser(deps, { tenantId, userId }, act, context);
    return noContent;
  });
