import * as v from 'valibot';
import type { DeviceRules } from '../../core/tenants/further-devices-policy.ts';
import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import type { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { unknownDevice } from '../../core/devices/protocol/device-call.ts';
import { noContent } from '../../core/http/responses.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import type { RelyingParty } from '../../core/devices/passkeys/passkey.ts';
import type { Device } from '../../core/devices/device.ts';
import { unregisterClaims, verifyRemoval } from '../../core/enrolment/unregister-device.ts';
import { removeDevice, type RemoveDeps } from '../../core/enrolment/remove-device.ts';
import type { BaseUrls } from '../../core/kernel/base-urls.ts';

export type Deps = RemoveDeps & {
  calls: DeviceCallStore;
  policies: FurtherDevicesPolicyStore;
  relyingParty: RelyingParty;
  baseUrls: BaseUrls;
};

const request = v.object({ body: unregisterClaims });

export function createHandler({ calls, policies, relyingParty, baseUrls, ...deps }: Deps): Handler {
  const verify = requestVerifierFor(baseUrls, 'DELETE', '/omi/device');

  return async (event) => {
    const context = requestContextOf(event, Date.now());
    const call = readAuthorization(event);
    const find = async () => {
      const { device, history, version } = await calls.load(call.identity, undefined, context.now);
      return { history, version, device: device && (await verify(call, device, context.now)) };
    };
    // Once, and only for a device that exists: the removal and its notice follow the same rules.
    let rules: DeviceRules | undefined;
    const findRule = async () => (rules ??= await policies.find(call.identity.tenantId));
    const authorize = async (device: Device) => {
      const { body: claims } = parseRequest(request, { body: call.message.claims });
      const { requiresVerification } = await findRule();
      verifyRemoval(claims, device, { requiresVerification, relyingParty });
      return { writes: [] };
    };
    await removeDevice(deps, { find, notFound: unknownDevice(), findRule, authorize, context });
    return noContent;
  };
}
