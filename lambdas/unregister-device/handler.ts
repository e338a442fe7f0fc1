import { noContent } from '../../core/http/answers.ts';
import { callOf } from '../../core/http/call.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device.ts';
import type { Handler } from '../../core/http/lambda.ts';
import type { CallStore } from '../../core/adapters/call-store.ts';
import { removeDevice, type RemoveDeps } from '../../core/operations/remove-device.ts';
import { retryContended } from '../../core/operations/retry-contended.ts';

export type Deps = RemoveDeps & { calls: CallStore; baseUrl: string };

export function createHandler({ calls, baseUrl, ...deps }: Deps): Handler {
  const verify = requestVerifierFor(baseUrl, 'DELETE', '/omi/device');

  return async (event) => {
    const call = callOf(event, Date.now());
    const deviceCall = readAuthorization(event);
    await retryContended(async () => {
      const { device: found, history, version } = await calls.load(deviceCall.identity, undefined, call.now);
      const device = await verify(deviceCall, found, call.now);
      await removeDevice(deps, { device, history, version, call });
    });
    return noContent;
  };
}
