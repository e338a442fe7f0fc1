import * as v from 'valibot';
import { enrolmentClaims } from '../../core/devices/protocol/claims.ts';
import { enrolmentKeyOf } from '../../core/devices/protocol/enrolment-key.ts';
import type { PushServices } from '../../core/devices/push-services.ts';
import { readMessage, verify } from '../../core/devices/protocol/jws.ts';
import { json } from '../../core/http/responses.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { enrolDevice, type EnrolDeps } from '../../core/enrolment/enrol-device.ts';
import type { BaseUrls } from '../../core/kernel/base-urls.ts';

export type Deps = EnrolDeps & { baseUrls: BaseUrls; pushServices: PushServices };

export function createHandler({ baseUrls, pushServices, ...deps }: Deps): Handler {
  const request = v.object({ body: enrolmentClaims(pushServices) });

  return async (event) => {
    const context = requestContextOf(event, Date.now());
    const message = readMessage(event.body ?? '', 'omi-enrolment+jws');
    const key = enrolmentKeyOf(message);
    await verify(message, { baseUrls, key, now: context.now });
    const { code, passkey, ...description } = parseRequest(request, { body: message.claims }).body;
    return json(201, await enrolDevice(deps, { code, key, description, passkey, context }));
  };
}
