import * as v from 'valibot';
import { pushTokenClaims } from '../../core/devices/protocol/claims.ts';
import { readDeviceCall, verifyDeviceCall } from '../../core/devices/protocol/device-call.ts';
import { refreshPushToken, type RefreshDeps } from '../../core/devices/refresh-push-token.ts';
import { noContent } from '../../core/http/responses.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';

const request = v.object({ body: pushTokenClaims });

export type Deps = RefreshDeps & { baseUrl: string };

export const createHandler =
  ({ baseUrl, ...deps }: Deps): Handler =>
  async (event) => {
    const now = Date.now();
    const call = readDeviceCall(event.body ?? '', 'omi-push-token+jws');
    const load = async () => {
      const found = await deps.devices.find(call.identity);
      const device = await verifyDeviceCall(call, found, { audience: baseUrl, now });
      const { pushToken } = parseRequest(request, { body: call.message.claims }).body;
      return { device, pushToken, issuedAt: Number(call.message.claims['iat']) };
    };
    await refreshPushToken(deps, load, now);
    return noContent;
  };
