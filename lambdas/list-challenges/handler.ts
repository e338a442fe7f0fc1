import { randomUUID } from 'node:crypto';
import type { Fetch } from '../../core/confirmations/confirmation.ts';
import type { DeviceCall } from '../../core/devices/protocol/device-call.ts';
import { sha256 } from '../../core/kernel/identifiers.ts';
import { seconds } from '../../core/kernel/time.ts';
import type { DeviceCallStore } from '../../core/confirmations/device-call-store.ts';
import { listChallenges, type ListDeps } from '../../core/confirmations/list-challenges.ts';
import { json } from '../../core/http/responses.ts';
import { readAuthorization, requestVerifierFor } from '../../core/http/device-authorization.ts';
import type { Handler } from '../../core/http/api-lambda.ts';
import type { BaseUrls } from '../../core/kernel/base-urls.ts';

export type Deps = ListDeps & { calls: DeviceCallStore; baseUrls: BaseUrls };

/** The claim is checked together with the signature, before anything is shown. */
const fetchOf = ({ message: { claims, jws } }: DeviceCall): Fetch => ({
  issuedAt: Number(claims['iat']) * seconds,
  jwsHash: sha256(jws).slice(0, 22),
  call: randomUUID(),
});

export function createHandler({ calls, baseUrls, ...deps }: Deps): Handler {
  const verify = requestVerifierFor(baseUrls, 'GET', '/omi/device/challenges');

  return async (event) => {
    const now = Date.now();
    const call = readAuthorization(event);
    const load = async () => {
      const record = await calls.load(call.identity, undefined, now);
      return { ...record, device: await verify(call, record.device, now) };
    };
    return json(200, await listChallenges(deps, load, { fetch: fetchOf(call), now }));
  };
}
