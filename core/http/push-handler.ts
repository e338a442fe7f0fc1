import * as v from 'valibot';
import { sendConfirmation, type SendDeps } from '../confirmations/send-confirmation.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { acceptedResponse } from './confirmation-responses.ts';
import { pushRefusal, sendRequestOf } from './push-request.ts';
import { pushBody, type devicePath, type userPath } from './request-schemas.ts';
import { websiteHandler } from './website-handler.ts';

/** Where the path names the device, the body cannot ask all of them. */
const bodyOf = (path: typeof userPath | typeof devicePath, body: ReturnType<typeof pushBody>) =>
  'deviceId' in path.entries
    ? v.pipe(
        body,
        v.forward(
          v.partialCheck(
            [['devices']],
            ({ devices }) => devices !== 'all',
            'expected one or no such member: the path names the device',
          ),
          ['devices'],
        ),
      )
    : body;

/** Asks a user to confirm. The path says whether the website chose the device. */
export function pushHandler(deps: SendDeps, path: typeof userPath | typeof devicePath) {
  const requestFor = ({ settings, returnOrigins }: WebsiteCaller) =>
    v.object({ path, body: bodyOf(path, pushBody(settings.longestLifetime, returnOrigins)) });
  return websiteHandler(
    requestFor,
    async ({ path: named, body }, context) =>
      acceptedResponse(await sendConfirmation(deps, sendRequestOf(named, body), context), context.now),
    { refuse: pushRefusal },
  );
}
