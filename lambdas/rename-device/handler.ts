import * as v from 'valibot';
import { deviceName } from '../../core/kernel/text.ts';
import { readDeviceCall, verifyDeviceCall } from '../../core/devices/protocol/device-call.ts';
import { renameDevice, type RenameDeps } from '../../core/devices/rename-device.ts';
import { noContent } from '../../core/http/responses.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import type { BaseUrls } from '../../core/kernel/base-urls.ts';

const request = v.object({ body: v.object({ name: deviceName }) });

export type Deps = RenameDeps & { baseUrls: BaseUrls };

export function createHandler({ devices, baseUrls }: Deps): Handler {
  return async (event) => {
    const now = Date.now();
    const call = readDeviceCall(event.body ?? '', 'omi-device-name+jws');
    const { claims } = call.message;
    const load = async () => {
      const found = await devices.find(call.identity);
      const device = await verifyDeviceCall(call, found, { baseUrls, now });
      const { name } = parseRequest(request, { body: claims }).body;
      return { device, name, issuedAt: Number(claims['iat']) };
    };
    await renameDevice({ devices }, load);
    return noContent;
  };
}
