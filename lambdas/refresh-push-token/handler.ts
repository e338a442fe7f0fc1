import * as v from 'valibot';
import type { DeviceStore } from '../../core/adapters/device-store.ts';
import type { PushGateway } from '../../core/adapters/push-gateway.ts';
import { pushTokenClaims } from '../../core/device-protocol/claims.ts';
import type { DeviceCall } from '../../core/device-protocol/device-call.ts';
import type { Device } from '../../core/domain/device.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { noContent } from '../../core/http/answers.ts';
import { readBody, verifierFor } from '../../core/http/device.ts';
import type { Handler } from '../../core/http/lambda.ts';
import { parse } from '../../core/http/parse.ts';
import { releaseEndpoint } from '../../core/operations/release-endpoint.ts';
import { retryContended } from '../../core/operations/retry-contended.ts';

const request = v.object({ body: pushTokenClaims });

export type Deps = { devices: DeviceStore; gateway: PushGateway; baseUrl: string };

/** A captured call sent again must not bring an old token back. */
function issuedAfterLast(call: DeviceCall, device: Device): number {
  const issuedAt = call.message.claims.iat ?? 0;
  if (device.pushTokenIssuedAt === undefined || issuedAt > device.pushTokenIssuedAt) return issuedAt;
  throw new Refusal('stale-request', 'A push token was accepted from a call that is not older than this.');
}

export function createHandler({ devices, gateway, baseUrl }: Deps): Handler {
  const verify = verifierFor(baseUrl);

  const replaceToken = async (call: DeviceCall, now: number): Promise<{ before: Device; after: Device }> => {
    const before = await verify(call, await devices.find(call.identity), 'omi-push-token+jws', now);
    const { body } = parse(request, { body: call.message.claims });
    const pushTokenIssuedAt = issuedAfterLast(call, before);
    const endpointArn = await gateway.enableEndpoint(before.platform, body.pushToken);
    const accepted = { pushToken: body.pushToken, pushTokenIssuedAt, endpointArn };
    const after: Device = { ...before, ...accepted, status: 'active', lastSeenAt: now };
    await devices.replace(before, after);
    return { before, after };
  };

  return async (event) => {
    const now = Date.now();
    const call = readBody(event);
    const { before, after } = await retryContended(async () => await replaceToken(call, now));
    if (before.endpointArn !== after.endpointArn) {
      await releaseEndpoint({ devices, gateway }, before.endpointArn);
    }
    return noContent;
  };
}
