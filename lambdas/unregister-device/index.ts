import * as v from 'valibot';
import { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { documentClient } from '../../core/aws/dynamodb-client.ts';
import type { Device } from '../../core/devices/device.ts';
import { relyingPartyOf } from '../../core/devices/passkeys/passkey.ts';
import { countPasskeyRefusal } from '../../core/devices/passkeys/passkey-metrics.ts';
import { unknownDevice } from '../../core/devices/protocol/device-call.ts';
import { removeDevice } from '../../core/enrolment/remove-device.ts';
import { unregisterClaims, verifyRemoval } from '../../core/enrolment/unregister-device.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import { parseRequest } from '../../core/http/parse-request.ts';
import { requestContextOf } from '../../core/http/request-context.ts';
import { noContent } from '../../core/http/responses.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { baseUrlsOf, confirmationDeps, endpointDeps, pushChannels } from '../../core/lambda/wiring.ts';
import type { DeviceRules } from '../../core/tenants/further-devices-policy.ts';
import { FurtherDevicesPolicyStore } from '../../core/tenants/further-devices-policy-store.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const policies = new FurtherDevicesPolicyStore(client, env.TENANTS_TABLE);
const deps = {
  ...confirmationDeps(client, env),
  ...endpointDeps(client, env),
  push: pushChannels(env),
  policies,
};
const calls = new DeviceCallStore(client, deps.devices, deps.confirmations);
const relyingParty = relyingPartyOf(env);
const verify = requestVerifierFor(baseUrlsOf(env), 'DELETE', '/omi/device');

const request = v.object({ body: unregisterClaims });

export const handler = bodilessLambda(async (event) => {
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
  try {
    await removeDevice(deps, { find, notFound: unknownDevice(), findRule, authorize, context });
  } catch (error) {
    countPasskeyRefusal(error);
    throw error;
  }
  return noContent;
});
