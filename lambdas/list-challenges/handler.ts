import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { listChallenges, type ListDeps } from '../../core/confirmations/list-challenges.ts';
import { json } from '../../core/http/responses.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';

export type Deps = ListDeps & { calls: DeviceCallStore; baseUrl: string };

export function createHandler({ calls, baseUrl, ...deps }: Deps): Handler {
  const verify = requestVerifierFor(baseUrl, 'GET', '/omi/device/challenges');

  return async (event) => {
    const now = Date.now();
    const call = readAuthorization(event);
    const load = async () => {
      const record = await calls.load(call.identity, undefined, now);
      return { ...record, device: await verify(call, record.device, now) };
    };
    return json(200, { challenges: await listChallenges(deps, load, now) });
  };
}
