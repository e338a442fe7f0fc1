import * as v from 'valibot';
import { acceptedResponse } from '../../core/http/confirmation-responses.ts';
import { devicePath, pushBody } from '../../core/http/request-schemas.ts';
import { pushRefusal, sendRequestOf } from '../../core/http/push-request.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { sendConfirmation, type SendDeps } from '../../core/confirmations/send-confirmation.ts';
import type { TenantSettings } from '../../core/tenants/tenant.ts';

const requestFor = ({ longestLifetime }: TenantSettings) =>
  v.object({ path: devicePath, body: pushBody(longestLifetime) });

export const createHandler = (deps: SendDeps) =>
  websiteHandler(
    requestFor,
    async ({ path, body }, context) =>
      acceptedResponse(await sendConfirmation(deps, sendRequestOf(path, body), context), context.now),
    { refuse: pushRefusal },
  );
