import * as v from 'valibot';
import { newPushToken, newSubscription } from '../../core/devices/device.ts';
import { readDeviceCall, verifyDeviceCall } from '../../core/devices/protocol/device-call.ts';
import type { PushServices } from '../../core/devices/push-services.ts';
import { refreshPushToken, type RefreshDeps, type Sent } from '../../core/devices/refresh-push-token.ts';
import { noContent } from '../../core/http/responses.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import type { BaseUrls } from '../../core/kernel/base-urls.ts';

const tokenRequest = v.object({ body: newPushToken });

export type Deps = RefreshDeps & { baseUrls: BaseUrls; pushServices: PushServices };

export function createHandler({ baseUrls, pushServices, ...deps }: Deps): Handler {
  const subscriptionRequest = v.object({ body: newSubscription(pushServices) });

  return async (event) => {
    const now = Date.now();
    const call = readDeviceCall(event.body ?? '', 'omi-push-token+jws');
    const { claims } = call.message;
    const load = async (): Promise<Sent> => {
      const found = await deps.devices.find(call.identity);
      const device = await verifyDeviceCall(call, found, { baseUrls, now });
      const issuedAt = Number(claims['iat']);
      if (device.platform !== 'web') {
        const { pushToken } = parseRequest(tokenRequest, { body: claims }).body;
        return { device, pushToken, issuedAt };
      }
      const { subscription } = parseRequest(subscriptionRequest, { body: claims }).body;
      return { device, subscription, issuedAt };
    };
    await refreshPushToken(deps, load, now);
    return noContent;
  };
}
