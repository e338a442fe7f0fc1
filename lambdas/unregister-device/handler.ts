import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import type { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { unknownDevice } from '../../core/devices/protocol/device-call.ts';
import { noContent } from '../../core/http/responses.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { removeDevice, type RemoveDeps } from '../../core/enrolment/remove-device.ts';

export type Deps = RemoveDeps & {
  calls: DeviceCallStore;
  policies: FurtherDevicesPolicyStore;
  baseUrl: string;
};

export function createHandler({ calls, policies, baseUrl, ...deps }: Deps): Handler {
  const verify = requestVerifierFor(baseUrl, 'DELETE', '/omi/device');

  return async (event) => {
    const context = requestContextOf(event, Date.now());
    const call = readAuthorization(event);
    const find = async () => {
      const { device, history, version } = await calls.load(call.identity, undefined, context.now);
      return { history, version, device: device && (await verify(call, device, context.now)) };
    };
    const findRule = async () => await policies.find(call.identity.tenantId);
    await removeDevice(deps, { find, notFound: unknownDevice(), findRule, context });
    return noContent;
  };
}
